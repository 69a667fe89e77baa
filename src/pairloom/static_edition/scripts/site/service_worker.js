// Keeps the files of this folder, and does nothing else. `FILES` is written in front of it by the build: the edition, the
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
    its name. Where a server says nothing of keeping, browsers keep documents by a rule of thumb, longer than the files
    that those name are there: so the server is always asked. One that answers with a failure of its own is none. */
async function answer(request) {
  const cache = await caches.open(NAME);
  if (request.mode !== "navigate") return (await cache.match(request)) ?? fetch(request);
  const { origin, pathname } = new URL(request.url);
  const kept = async () => (await cache.match(origin + pathname)) ?? (await cache.match(`${origin}${pathname}/`));
  try {
    const fresh = await fetch(request, { cache: "no-cache" });
    return fresh.status < 500 ? fresh : (await kept()) ?? fresh;
  } catch (error) {
    const own = await kept();
    if (own) return own;
    throw error;
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method === "GET" && origin === location.origin && pathname.startsWith(FILES.base)) event.respondWith(answer(event.request));
});
