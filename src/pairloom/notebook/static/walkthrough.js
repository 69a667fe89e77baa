// The walkthrough inside a notebook. The markup, the words and the answers are those of the pages; here is only what the
// pages' scripts do with a document of their own: send a form, put the answer in its place, step, play, listen to keys.

const TRAIN_AFTER_MS = 350;
const ENCODE_AFTER_MS = 120;
const WAIT_MS = 130_000;
const FIELDS = "input, textarea, select, [contenteditable]";

function render({ model, el }) {
  const host = document.createElement("div");
  el.append(host);
  const root = host.attachShadow({ mode: "open" });
  const find = (id) => root.getElementById(id);
  const board = () => find("walkthrough");
  const state = () => board().dataset.state;
  const slider = () => find("walk-slider");
  const chosen = () => Number(slider()?.value ?? 0);
  const maximum = () => Number(slider()?.max ?? 0);
  const shownPrefix = () => Number(root.querySelector("#walk-next [data-prefix]")?.dataset.prefix ?? 0);

  // ---- asking: each request has a number; what comes late for a text that is gone is dropped (rule W3)

  const waiting = new Map();
  let numbers = 0;
  let generation = 0;

  function ask(message) {
    const id = `${++numbers}`;
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiting.delete(id) && resolve({ status: 0, html: "" }), WAIT_MS);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      model.send({ id, ...message });
    });
  }

  function hear(answer) {
    const resolve = waiting.get(answer?.id);
    waiting.delete(answer?.id);
    resolve?.(answer);
  }

  /** Put an answer in its places: each part names its own, the rest goes where the request says. */
  function place(html, target) {
    const parsed = document.createElement("template");
    parsed.innerHTML = html;
    for (const part of parsed.content.querySelectorAll("hx-partial")) {
      root.querySelector(part.getAttribute("hx-target"))?.replaceChildren(...part.childNodes);
      part.remove();
    }
    if (target && parsed.content.textContent.trim()) root.querySelector(target)?.replaceChildren(parsed.content);
  }

  /** What has failed is seen where a training is told of, and heard. */
  function say(words) {
    find("walk-training").textContent = words;
    tell(words);
  }

  /** Tell those who hear it what a step made by hand has come to; the slider says it itself (rule W12). */
  function tell(words) {
    if (!playing && root.activeElement !== slider()) find("live").textContent = words;
  }

  function fields(more = {}) {
    const inputs = find("walk-inputs").elements;
    const all = { corpus: inputs.corpus.value, walk_pre_tokenizer: inputs.walk_pre_tokenizer.value };
    if (inputs.walk_lowercase.checked) all.walk_lowercase = "on";
    for (const each of root.querySelectorAll("#walk-form [name], [form=walk-form][name]")) all[each.name] = each.value;
    if (root.querySelector("#walk-subwords-view [data-encoded]") || more.text !== undefined) all.text = find("walk-text").value;
    return { ...all, ...more };
  }

  async function post(path, more, target) {
    const own = generation;
    // The number field and the pager's buttons name the page that they turn to, not the one that is shown.
    const answer = await ask({ path, fields: fields(more) });
    if (own !== generation) return null;
    if (answer.status === 0 || answer.status >= 500) say(find("sentences").dataset.failed);
    else place(answer.html, target);
    return answer;
  }

  // ---- training: every change of the text trains anew, without a button (rule S1)

  let trainTimer = 0;
  let encodeTimer = 0;

  function discard() {
    pause();
    clearTimeout(trainTimer);
    generation++;
    find("walk-key")?.remove();
    board().dataset.state = "empty";
  }

  async function train(prefix = 0) {
    discard();
    for (const slot of root.querySelectorAll(".error")) slot.replaceChildren();
    board().dataset.state = "training";
    const { corpus, walk_pre_tokenizer: preTokenizer, walk_lowercase: lowercase } = find("walk-inputs").elements;
    const answer = await post("/walkthrough/train", { text: find("walk-text").value, begin_at: `${prefix}` });
    if (!answer) return;
    board().dataset.state = find("walk-key") ? "trained" : "empty";
    corpus.toggleAttribute("aria-invalid", !find("walk-key"));
    settle();
    save({ corpus: corpus.value, text: find("walk-text").value, _pre_tokenizer: preTokenizer.value, _lowercase: lowercase.checked });
  }

  async function encode() {
    clearTimeout(encodeTimer);
    if (state() !== "trained") return;
    find("walk-text-error").replaceChildren();
    const answer = await post("/walkthrough/encode", { text: find("walk-text").value });
    if (answer && answer.status !== 200) for (const level of ["characters", "subwords", "words"]) find(`walk-${level}-view`).replaceChildren();
    save({ text: find("walk-text").value });
  }

  async function loadPreset() {
    const preset = find("walk-preset");
    showWatch();
    if (preset.value === "") return;
    const { text } = await ask({ preset: preset.value });
    find("walk-corpus").value = text;
    find("walk-text").value = preset.selectedOptions[0].dataset.toEncode;
    train();
  }

  function showWatch() {
    for (const line of root.querySelectorAll("#walk-watch [data-preset]")) line.hidden = line.dataset.preset !== find("walk-preset").value;
  }

  // ---- Step, Back, Play, Reset and the slider (rule S2)

  let playing = false;
  let timer = 0;
  let isStepping = false;
  let startedAt = 0;

  function choose(wanted) {
    if (state() !== "trained") return;
    const value = Math.min(Math.max(wanted, 0), maximum());
    if (value === chosen() && value === shownPrefix()) return;
    slider().value = value;
    step();
  }

  /** One step is under way at a time; the slider holds the prefix that was chosen last. */
  async function step() {
    if (isStepping) return;
    isStepping = true;
    try {
      while (state() === "trained" && chosen() !== shownPrefix()) {
        const asked = chosen();
        const answer = await post("/walkthrough/step", {}, "#walk-next");
        if (!answer || shownPrefix() !== asked) break;
      }
    } finally {
      isStepping = false;
    }
    if (state() === "trained") settle();
  }

  function settle() {
    mark();
    for (const box of root.querySelectorAll("#walk-corpus-view .chosen")) box.classList.remove("chosen");
    const id = root.querySelector("#walk-origin-view [name=token_id]")?.value;
    if (id) for (const box of root.querySelectorAll(`#walk-corpus-view [data-t="${id}"]`)) box.classList.add("chosen");
    const learned = root.querySelector(".learned");
    if (learned) learned.scrollTop = learned.scrollHeight;
    if (state() === "trained") save({ prefix: shownPrefix() });
    if (!playing) return;
    if (shownPrefix() === maximum()) pause();
    else {
      clearTimeout(timer);
      timer = setTimeout(tick, Math.max(0, startedAt + Number(find("walk-speed").value) - performance.now()));
    }
  }

  function tick() {
    if (!playing) return;
    startedAt = performance.now();
    choose(chosen() + 1);
  }

  function setPlaying(now) {
    playing = now;
    clearTimeout(timer);
    find("walk-play").classList.toggle("playing", now);
  }

  function pause() {
    if (playing) setPlaying(false);
  }

  function play() {
    if (state() !== "trained" || maximum() === 0) return;
    setPlaying(true);
    startedAt = performance.now();
    choose(chosen() < maximum() ? chosen() + 1 : 0);
  }

  function move(wanted) {
    pause();
    choose(wanted);
  }

  function mark() {
    const ready = state() === "trained";
    const may = { reset: ready && shownPrefix() > 0, back: ready && shownPrefix() > 0, step: ready && shownPrefix() < maximum(), play: ready && maximum() > 0 };
    for (const [name, can] of Object.entries(may)) {
      if (can) find(`walk-${name}`).removeAttribute("aria-disabled");
      else find(`walk-${name}`).setAttribute("aria-disabled", "true");
    }
    if (!ready) return;
    slider().setAttribute("aria-valuetext", find("walk-next").innerText);
    tell(find("walk-next").innerText);
  }

  /** The keys of the pages, while the widget has the focus: a notebook has keys of its own. */
  function key(event) {
    const target = event.composedPath()[0];
    const isTaken = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented;
    // A notebook's own keys are not for what is typed here.
    event.stopPropagation();
    if (isTaken || target.matches?.(FIELDS)) return;
    if (event.key === "ArrowRight") move(chosen() + 1);
    else if (event.key === "ArrowLeft") move(chosen() - 1);
    else if (event.key !== " " || target.matches?.("button, a, summary")) return;
    else if (!event.repeat) (playing ? pause : play)();
    event.preventDefault();
  }

  // ---- what is clicked and typed

  function click(event) {
    const target = event.composedPath()[0];
    const box = target.closest?.("[data-token], .flow [data-t]");
    if (box) {
      post("/walkthrough/token", { token_id: box.dataset.token ?? box.dataset.t }, "#walk-origin-view").then(settle);
      return;
    }
    const button = target.closest?.("button");
    if (!button) return;
    const acts = { "walk-step": () => move(chosen() + 1), "walk-back": () => move(chosen() - 1), "walk-reset": () => move(0), "walk-play": () => (playing ? pause() : play()) };
    if (acts[button.id]) acts[button.id]();
    else if (button.id === "walk-to-origin") find("walk-origin-token")?.scrollIntoView({ block: "nearest" });
    else if (button.hasAttribute("hx-post")) turn(button, JSON.parse(button.getAttribute("hx-vals") ?? "{}"));
  }

  async function turn(control, more) {
    const target = control.getAttribute("hx-target") ?? `#${control.closest("[id$=-view]").id}`;
    const { id } = control;
    const text = target.match(/characters|subwords|words/) ? { text: find("walk-text").value } : {};
    await post(control.getAttribute("hx-post"), { ...more, ...text }, target);
    settle();
    find(id)?.focus({ preventScroll: true });
  }

  function input(event) {
    const target = event.composedPath()[0];
    if (target.id === "walk-slider") {
      pause();
      step();
    } else if (target.id === "walk-text") {
      count();
      clearTimeout(encodeTimer);
      encodeTimer = setTimeout(encode, ENCODE_AFTER_MS);
    } else if (target.id === "walk-preset") loadPreset();
    else if (target.closest("#walk-inputs")) {
      if (target.id === "walk-corpus") find("walk-preset").value = "";
      showWatch();
      count();
      discard();
      trainTimer = setTimeout(train, target.id === "walk-corpus" ? TRAIN_AFTER_MS : 0);
    }
  }

  function change(event) {
    const target = event.composedPath()[0];
    if (target.name === "page_number") turn(target, { page_number: target.value });
  }

  function count() {
    for (const each of root.querySelectorAll("[data-count]")) each.textContent = [...find(each.dataset.count).value].length.toLocaleString(model.get("language"));
  }

  // ---- what the notebook sees and sets

  let isSaving = false;

  function save(values) {
    isSaving = true;
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    isSaving = false;
    model.save_changes();
  }

  function begin() {
    const preset = board() ? find("walk-preset").value : model.get("_preset");
    // Markup of the pages' own templates, in which every text is escaped; a script in it would not run.
    const parsed = document.createElement("template");
    parsed.innerHTML = model.get("_shell");
    const style = document.createElement("style");
    style.textContent = model.get("_style");
    root.replaceChildren(style, parsed.content);
    board().tabIndex = -1;
    board().lang = model.get("language");
    find("walk-corpus").value = model.get("corpus");
    find("walk-text").value = model.get("text");
    find("walk-preset").value = preset;
    find("walk-inputs").elements.walk_pre_tokenizer.value = model.get("_pre_tokenizer");
    find("walk-inputs").elements.walk_lowercase.checked = model.get("_lowercase");
    showWatch();
    count();
    // What Python has set last, which may not be shown yet.
    train(model.get("prefix"));
  }

  function follow() {
    if (!isSaving && state() === "trained" && model.get("prefix") !== chosen()) move(model.get("prefix"));
  }

  root.addEventListener("click", click);
  root.addEventListener("input", input);
  root.addEventListener("change", change);
  root.addEventListener("keydown", key);
  root.addEventListener("submit", (event) => event.preventDefault());
  model.on("msg:custom", hear);
  model.on("change:prefix", follow);
  model.on("change:_shell", begin);
  begin();

  return () => {
    pause();
    generation++;
    model.off("msg:custom", hear);
    model.off("change:prefix", follow);
    model.off("change:_shell", begin);
    host.remove();
  };
}

export default { render };
