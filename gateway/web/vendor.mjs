// Writes static/vendor from the packages that package.json pins: the browser takes them as they are, without a build.
import { mkdir, readFile, writeFile } from "node:fs/promises";

const PARTS = {
  "preact.js": "preact/dist/preact.mjs",
  "hooks.js": "preact/hooks/dist/hooks.mjs",
  "htm.js": "htm/dist/htm.mjs",
};
const TYPES = {
  "preact.d.ts": 'export * from "preact";\n',
  "hooks.d.ts": 'export * from "preact/hooks";\n',
  "htm.d.ts": 'export { default } from "htm";\n',
};
const LICENSES = { preact: "preact/LICENSE", htm: "htm/LICENSE" };

const out = new URL(process.argv[2] ? `file://${process.argv[2]}/` : "static/vendor/", import.meta.url);
const taken = (path) => readFile(new URL(`node_modules/${path}`, import.meta.url), "utf8");

await mkdir(out, { recursive: true });
for (const [name, path] of Object.entries(PARTS)) {
  const text = (await taken(path)).replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
  await writeFile(new URL(name, out), text.replaceAll('from"preact"', 'from"./preact.js"'));
}
for (const [name, text] of Object.entries(TYPES)) {
  await writeFile(new URL(name, out), text);
}
for (const [name, path] of Object.entries(LICENSES)) {
  await writeFile(new URL(`LICENSE.${name}`, out), await taken(path));
}
