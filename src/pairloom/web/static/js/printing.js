// On paper a field is one box that pages cut through its lines. While the page is printed, each text stands as a
// paragraph instead.

function unfold() {
  for (const area of document.querySelectorAll("textarea")) {
    const copy = document.createElement("p");
    copy.className = "printed";
    copy.dir = "auto";
    copy.textContent = area.value;
    area.after(copy);
  }
}

function fold() {
  for (const copy of document.querySelectorAll(".printed")) copy.remove();
}

export function start() {
  addEventListener("beforeprint", unfold);
  addEventListener("afterprint", fold);
}
