// The document of a worksheet: what it holds depends on what its address asks for, so Python writes it.

export async function start() {
  const main = document.querySelector("main[data-sheet]");
  if (!main) return;
  const answer = await fetch(`${main.dataset.sheet}${location.search || "?"}`, { headers: { "Page-Language": document.documentElement.lang } });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const sheet = fresh.querySelector("main");
  if (sheet) main.replaceChildren(...sheet.childNodes);
  else main.textContent = fresh.body.textContent;
  if (fresh.title) document.title = fresh.title;
}
