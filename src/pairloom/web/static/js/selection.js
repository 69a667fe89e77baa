// One choice: slider, number field and row of the merge table are the active prefix (rules W5, W7). The server answers
// with what is at that prefix; the rows that are shown already are only marked anew here.

const form = document.getElementById("prefix-form");
const field = (id) => document.getElementById(id);

/** Choose a prefix from anywhere on the page. */
function choose(prefix) {
  field("prefix").value = prefix;
  field("prefix").dispatchEvent(new Event("input", { bubbles: true }));
}

/** Slider and number field follow each other before the request reads them. */
function follow(event) {
  const { slider, prefix } = form.elements;
  if (event.target === slider) prefix.value = slider.value;
  else if (event.target === prefix && prefix.validity.valid && prefix.value !== "") slider.value = prefix.value;
  slider.setAttribute("aria-valuetext", `${slider.value} / ${slider.max}`);
}

/** Mark the rows of both tables for the prefix that is shown. */
export function mark() {
  const shown = form.querySelector("[data-prefix]");
  if (!shown) return;
  const prefix = Number(shown.dataset.prefix);
  for (const row of document.querySelectorAll("#merges-view tr[data-r]")) {
    const rank = Number(row.dataset.r);
    row.classList.toggle("off", rank >= prefix);
    if (rank === prefix - 1) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  }
  keepInSight(document.querySelector("#merges-view tr[aria-current]"));
  const { active, inactive } = document.querySelector("#vocabulary-view table")?.dataset ?? {};
  for (const row of document.querySelectorAll("#vocabulary-view tr[data-r]")) {
    const off = Number(row.dataset.r) >= prefix;
    if (row.classList.toggle("off", off) !== (row.lastElementChild.textContent.trim() === inactive)) {
      row.lastElementChild.textContent = off ? inactive : active;
    }
  }
}

/** Scroll the table, and never the page, to its chosen row. */
function keepInSight(row) {
  const box = row?.closest(".scroll");
  if (!box) return;
  const head = box.querySelector("thead").offsetHeight;
  const top = row.offsetTop - head;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (row.offsetTop + row.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = row.offsetTop + row.offsetHeight - box.clientHeight;
  }
}

export function start() {
  form.addEventListener("input", follow, { capture: true });
  field("merges-view").addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-r]");
    if (row) choose(Number(row.dataset.r) + 1);
  });
}
