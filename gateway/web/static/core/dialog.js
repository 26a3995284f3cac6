/** A dialog that keeps the focus until it is closed, and gives it back to where it was. */

import { html, useEffect, useRef } from "./html.js";
import { say } from "./words.js";

/**
 * `name` goes to `data-form`. Escape and the button in the corner close it.
 * @param {{name: string, title: string, close: () => void, children?: any}} props
 */
export function Dialog({ name, title, close, children }) {
  /** @type {{current: HTMLDialogElement | null}} */
  const dialog = useRef(null);
  useEffect(() => {
    const back = document.activeElement;
    const shown = dialog.current;
    if (shown && !shown.open) shown.showModal();
    return () => {
      shown?.close();
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    };
  }, []);
  const cancelled = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
  };
  return html`<dialog ref=${dialog} data-form=${name} aria-labelledby="dialog-${name}" onCancel=${cancelled}>
    <header class="dialog-head">
      <h2 id="dialog-${name}">${title}</h2>
      <button type="button" class="plain close" data-do="close" aria-label=${say("close")} onClick=${close}>✕</button>
    </header>
    ${children}
  </dialog>`;
}
