var o=document.querySelector("#form-post");o&&HTMLFormElement.prototype.submit.call(o);
