/** Sends the form to the client; without this script a person presses the button. */
/// <reference lib="dom" />

const form = document.querySelector<HTMLFormElement>("#form-post");
// Not `form.submit`: a field of that name would stand in its place.
if (form) HTMLFormElement.prototype.submit.call(form);

export {};
