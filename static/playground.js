// src/pages/scripts/playground.ts
var pause = 250;
var build = document.querySelector("#build");
var shown = document.querySelector("#response");
var words = JSON.parse(shown?.dataset["words"] ?? "{}");
var timer;
var updates = 0;
enable();
build?.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(update, pause);
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "build" && form.id !== "send") return;
  event.preventDefault();
  if (form.id === "build") void update().then(() => document.getElementById("outcome")?.scrollIntoView());
  else void send(form);
});
function enable() {
  for (const each of document.querySelectorAll("[data-without-script]")) each.hidden = true;
  for (const each of document.querySelectorAll("#send-request")) each.hidden = false;
}
async function update() {
  if (!build) return;
  const own = ++updates;
  const body = new URLSearchParams(new FormData(build));
  const response = await fetch(build.action, { method: "POST", body, headers: { accept: "text/html" } }).catch(() => void 0);
  if (response === void 0 || own !== updates) return;
  if (!response.ok) return location.reload();
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of document.querySelectorAll("[data-live]")) {
    const freshPart = fresh.getElementById(part.id);
    if (freshPart && freshPart.innerHTML !== part.innerHTML) part.replaceChildren(...freshPart.childNodes);
  }
  enable();
  document.dispatchEvent(new Event("postern:replaced"));
  if (response.redirected) history.replaceState(null, "", response.url.replace(/#.*/, ""));
}
async function send(form) {
  if (!shown) return;
  const { method, target, headers, body } = JSON.parse(form.dataset["request"] ?? "{}");
  shown.replaceChildren(element("h2", words["heading"]));
  try {
    const response = await fetch(target, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      ...method === "POST" ? { body: body ?? "" } : {},
      redirect: "manual",
      // A client has no cookies. With them, Chromium answers the challenge of a 401 by a window for a password.
      credentials: "omit"
    });
    const text = await response.text();
    showResponse(shown, response, text);
    showStart(shown, new URLSearchParams(body).get("client_id"), text);
  } catch {
    shown.append(element("p", words["failed"]));
  }
  const sent = new URLSearchParams({ method, path: target.split("?")[0] ?? "" });
  const found = await fetch(`${form.dataset["sent"]}?${sent}`).then((each) => each.json()).catch(() => ({}));
  if (typeof found.href !== "string") return;
  const link = element("a", words["inspector"]);
  link.href = found.href;
  link.id = "sent";
  shown.append(element("p", link));
}
function showStart(place, clientId, text) {
  const pushed = Object(parse(text))["request_uri"];
  if (typeof pushed !== "string" || clientId === null) return;
  const link = element("a", words["start"]);
  link.href = `${place.dataset["authorize"]}?${new URLSearchParams({
    client_id: clientId,
    request_uri: pushed
  })}`;
  link.className = "button primary";
  place.append(element("p", link));
}
function showResponse(place, response, text) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  place.append(
    element("p", element("strong", `${response.status} ${response.statusText}`.trim())),
    block(lines.join("\n"))
  );
  const json = parse(text);
  if (text !== "") place.append(block(json === void 0 ? text : JSON.stringify(json, null, 2)));
  if (text !== "" && response.ok) place.append(element("p", readButton(text)));
  const tokens = typeof json === "object" && json !== null ? Object.entries(json) : [["", text]];
  for (const [name, token] of tokens) if (typeof token === "string") showJwt(place, String(name), token);
}
function showJwt(place, name, token) {
  const [header, claims] = token.split(".").slice(0, 2).map(decode);
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(token) || header === void 0 || claims === void 0) return;
  place.append(
    element("h3", `${name} (${words["decoded"]})`),
    block(`${JSON.stringify(header, null, 2)}
${JSON.stringify(claims, null, 2)}`)
  );
}
function readButton(text) {
  const button = element("button", words["takeApart"]);
  button.type = "button";
  button.className = "button";
  button.addEventListener("click", () => {
    const field = document.querySelector("#pasted");
    if (!field) return;
    field.value = text;
    field.form?.requestSubmit();
  });
  return button;
}
function decode(part) {
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (each) => each.charCodeAt(0))));
  } catch {
    return void 0;
  }
}
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function block(text) {
  const pre = element("pre", element("code", text));
  pre.tabIndex = 0;
  return pre;
}
function element(name, content = "") {
  const created = document.createElement(name);
  created.append(content);
  return created;
}
