// src/pages/scripts/pass.ts
var storageName = "postern_pass";
var mostPasses = 8;
var { pass: state, address } = document.body.dataset;
if (state === "carried") {
  keepPasses();
  location.replace(address);
  await new Promise(() => {
  });
} else if (state === "missing") {
  await complete().catch(() => {
  });
  delete document.body.dataset["pass"];
}
async function loadPage(url) {
  const response = await send(url);
  return response.ok ? parse(response) : void 0;
}
function send(url) {
  const passes = sessionStorage.getItem(storageName);
  const headers = { accept: "text/html", ...passes === null ? {} : { "postern-pass": passes } };
  return fetch(url, { cache: "no-store", headers });
}
async function parse(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}
function keepPasses() {
  const fields = document.querySelectorAll("#carry input[name=pass]");
  const kept = (sessionStorage.getItem(storageName) ?? "").split(" ");
  const passes = /* @__PURE__ */ new Set([...[...fields].map(({ value }) => value), ...kept.filter((each) => each !== "")]);
  sessionStorage.setItem(storageName, [...passes].slice(0, mostPasses).join(" "));
}
async function complete() {
  if (sessionStorage.getItem(storageName) === null) return;
  const fresh = await parse(await send(location.href));
  if (fresh.body.dataset["pass"] !== "given") return;
  document.title = fresh.title;
  document.querySelector("main").replaceChildren(...fresh.querySelector("main").childNodes);
  for (const { src } of fresh.querySelectorAll("script[src]")) addScript(src);
  document.dispatchEvent(new Event("postern:replaced"));
  if (location.hash !== "") {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
}
function addScript(src) {
  if ([...document.scripts].some((each) => each.src === src)) return;
  const script = document.createElement("script");
  script.type = "module";
  script.src = src;
  document.head.append(script);
}
export {
  loadPage
};
