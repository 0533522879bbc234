var e=document.querySelector("form.library"),t=!1;e?.addEventListener("keydown",()=>t=!0);e?.addEventListener("pointerdown",()=>t=!1);e?.addEventListener("change",()=>t||e.requestSubmit());
