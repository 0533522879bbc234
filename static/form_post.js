// src/pages/scripts/form_post.ts
var form = document.querySelector("#form-post");
if (form) HTMLFormElement.prototype.submit.call(form);
