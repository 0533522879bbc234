var e=matchMedia("(min-width: 1100px)");e.matches?i():e.addEventListener("change",i,{once:!0});async function i(){await import(new URL("inspector.js",import.meta.url).href)}
