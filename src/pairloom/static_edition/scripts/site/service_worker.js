// Keeps the files of this folder, and does nothing else. `FILES` is written in front of it by the build: the version, the
// addresses of large files, and the one file that holds all small ones.

const NAME = `pairloom ${FILES.base} ${FILES.version}`;

/** What the first load has brought comes from the browser's own cache: nothing large is transferred twice. */
const again = (address) => fetch(address, { cache: "force-cache" });

async function keep() {
  const cache = await caches.open(NAME);
  const small = again(FILES.small).then((answer) => answer.json());
  const large = FILES.large.map(async (address) => {
    const answer = await again(address);
    if (!answer.ok) throw new Error(address);
    await cache.put(address, answer);
  });
  const put = Object.entries(await small).map(([address, { type, text }]) =>
    cache.put(address, new Response(text, { headers: { "Content-Type": type } })));
  await Promise.all([...large, ...put]);
}

async function tidy() {
  const old = (await caches.keys()).filter((name) => name.startsWith(`pairloom ${FILES.base} `) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
}

/** Documents from the network as long as there is one, so that a new edition is seen; everything else has its content in
    its name. */
async function answer(request) {
  const cache = await caches.open(NAME);
  if (request.mode !== "navigate") return (await cache.match(request)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch (error) {
    const { origin, pathname } = new URL(request.url);
    const kept = (await cache.match(origin + pathname)) ?? (await cache.match(`${origin}${pathname}/`));
    if (kept) return kept;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && pathname.startsWith(FILES.base)) event.respondWith(answer(event.request));
});
