var e={heading:"Keys",rows:[[["/","Ctrl+K"],"go to the search"],[["?"],"show these keys"],[["f"],"go to the filter of the requests"],[["j"],"next request"],[["k"],"request before"],[["Enter"],"open the request"],[["Esc"],"close the request"]],enabled:"Single keys act",close:"Close"};function a(t){return document.head.append(t),new Promise(o=>{for(let n of["load","error"])t.addEventListener(n,()=>o(),{once:!0})})}var c="postern_keys",d=e.rows.map(([t,o])=>`<tr><th scope="row">${t.map(n=>`<kbd>${n}</kbd>`).join(" ")}</th><td>${o}</td></tr>`),s=Object.assign(document.createElement("dialog"),{id:"keys-list",ariaLabel:e.heading,innerHTML:`<h2>${e.heading}</h2>
<table><tbody>${d.join("")}</tbody></table>
<form method="dialog">
<label class="option"><input type="checkbox" id="keys-enabled"> ${e.enabled}</label>
<button class="button">${e.close}</button>
</form>`}),r=s.querySelector("input");r.checked=localStorage.getItem(c)!=="off";r.addEventListener("change",()=>localStorage.setItem(c,r.checked?"on":"off"));var{href:i}=new URL("playground.css",import.meta.url);await a(Object.assign(document.createElement("link"),{rel:"stylesheet",href:i}));document.body.append(s);s.showModal();
