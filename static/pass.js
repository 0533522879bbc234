// src/pages/scripts/shared/tab.ts
var storageName = "postern_pass";
var mostPasses = 8;
function readPasses() {
  return sessionStorage.getItem(storageName)?.split(" ") ?? [];
}
function keepPasses(passes) {
  const all = /* @__PURE__ */ new Set([...passes, ...readPasses()]);
  sessionStorage.setItem(storageName, [...all].slice(0, mostPasses).join(" "));
}
function requestPage(url) {
  const headers = { accept: "text/html", "postern-pass": readPasses().join(" ") };
  return fetch(url, { cache: "no-store", headers });
}
async function readPage(response) {
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

// src/pages/scripts/pass.ts
var { pass: state, address } = document.body.dataset;
if (state === "carried") {
  const fields = document.querySelectorAll("#carry input[name=pass]");
  keepPasses([...fields].map(({ value }) => value));
  location.replace(address);
} else {
  const scripts = await complete().catch(() => []);
  delete document.body.dataset["pass"];
  if (location.hash !== "") {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
  const preloaded = [...document.querySelectorAll("link[rel=modulepreload]")];
  for (const src of /* @__PURE__ */ new Set([...preloaded.map(({ href }) => href), ...scripts])) startScript(src);
}
async function complete() {
  if (readPasses().length === 0) return [];
  const fresh = await readPage(await requestPage(location.href));
  if (fresh.body.dataset["pass"] !== "given") return [];
  document.title = fresh.title;
  document.querySelector("main").replaceChildren(...fresh.querySelector("main").childNodes);
  return [...fresh.querySelectorAll("script[src]")].map(({ src }) => src);
}
function startScript(src) {
  const script = document.createElement("script");
  script.type = "module";
  script.src = src;
  document.head.append(script);
}
