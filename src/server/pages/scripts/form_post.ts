/** Sends the form to the client. Without this script the person presses the button. */
/// <reference lib="dom" />

const form = document.querySelector<HTMLFormElement>("#form-post");
// Not `form.submit`: a field named `submit` would replace it.
if (form) HTMLFormElement.prototype.submit.call(form);

export {};
