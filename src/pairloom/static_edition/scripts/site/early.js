// Before anything is seen: does the reader want this document in another language? A server would read that from the
// request. In this order: the language that the address names, the one chosen before, the one that the browser prefers.

(() => {
  const site = JSON.parse(document.querySelector('meta[name="pairloom-site"]').content);
  const own = document.documentElement.lang;
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  const isNamed = pathname.startsWith(`${site.base}${own}/`);
  const kept = () => {
    try {
      return localStorage.getItem(site.languageKey);
    } catch {
      return null;
    }
  };
  const asked = [query.get("lang"), isNamed ? own : null, kept(), ...navigator.languages.map((tag) => tag.split("-")[0].toLowerCase()), own];
  const wanted = asked.find((code) => site.languages.includes(code));
  if (query.has("lang")) {
    try {
      if (wanted === query.get("lang")) localStorage.setItem(site.languageKey, wanted);
    } catch {
      // Where nothing can be kept, the address names the language.
    }
  }
  if (wanted === own) return;
  const inside = pathname.slice((isNamed ? `${site.base}${own}/` : site.base).length);
  query.delete("lang");
  // The source language has no folder of its own: its name in the address says that it is meant.
  const folder = wanted === site.source ? site.base : `${site.base}${wanted}/`;
  if (wanted === site.source) query.set("lang", wanted);
  const rest = query.size ? `?${query}` : "";
  location.replace(folder + inside + rest + hash);
})();
