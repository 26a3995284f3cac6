// The two forms of a payload, read to plain objects and written from them.

const json = {
  accept: 'PAYLOAD_FORM_JSON',
  read: (payload) => JSON.parse(payload.json),
  write: (value) => ({ json: JSON.stringify(value) }),
};

const typed = {
  accept: 'PAYLOAD_FORM_TYPED',
  read: (payload) => decoded(payload.typed),
  write: (value) => ({ typed: value }),
};

export const FORMS = { json, typed };

function decoded(any) {
  if (!any['@type']) {
    throw new Error(`no proto here describes ${any.type_url}`);
  }
  return any;
}
