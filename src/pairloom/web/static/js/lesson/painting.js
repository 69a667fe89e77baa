// A drawing of Pairloom's own (SVG of rectangles, lines and lines of text) onto a canvas, shape by shape.

/** An attribute of a shape, or of what it stands in. */
function own(shape, name, otherwise = "") {
  return shape.closest(`[${name}]`)?.getAttribute(name) ?? otherwise;
}

const number = (shape, name, otherwise = 0) => Number.parseFloat(own(shape, name, String(otherwise)));

function setStroke(pen, shape) {
  pen.lineWidth = number(shape, "stroke-width", 1);
  pen.strokeStyle = own(shape, "stroke", "none");
  pen.setLineDash((own(shape, "stroke-dasharray").match(/[\d.]+/g) ?? []).map(Number));
}

const hasStroke = (shape) => !["", "none"].includes(own(shape, "stroke"));
const hasFill = (shape) => own(shape, "fill", "#000") !== "none";

function paintRectangle(pen, shape) {
  pen.beginPath();
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number.parseFloat(shape.getAttribute(name) ?? "0"));
  pen.roundRect(x, y, width, height, Number.parseFloat(shape.getAttribute("rx") ?? "0"));
  pen.fillStyle = own(shape, "fill", "#000");
  if (hasFill(shape)) pen.fill();
  if (!hasStroke(shape)) return;
  setStroke(pen, shape);
  pen.stroke();
}

function paintLine(pen, shape) {
  pen.beginPath();
  pen.moveTo(number(shape, "x1"), number(shape, "y1"));
  pen.lineTo(number(shape, "x2"), number(shape, "y2"));
  setStroke(pen, shape);
  pen.stroke();
}

const ANCHORS = { start: "left", middle: "center", end: "right" };

function paintText(pen, shape) {
  pen.font = `${own(shape, "font-weight", "400")} ${number(shape, "font-size", 16)}px ${own(shape, "font-family", "sans-serif")}`;
  pen.fillStyle = own(shape, "fill", "#000");
  const direction = own(shape, "direction", "ltr");
  pen.direction = direction;
  const anchor = own(shape, "text-anchor", "start");
  // The start of a line that runs from right to left is its right end.
  const isTurned = direction === "rtl" && anchor !== "middle";
  pen.textAlign = ANCHORS[isTurned ? { start: "end", end: "start" }[anchor] : anchor];
  pen.textBaseline = own(shape, "dominant-baseline") === "central" ? "middle" : "alphabetic";
  const room = shape.hasAttribute("textLength") ? number(shape, "textLength") : undefined;
  pen.fillText(shape.textContent, number(shape, "x"), number(shape, "y"), room);
}

const PAINT = { rect: paintRectangle, line: paintLine, text: paintText };

/** The drawing as a PNG, each of its units `scale` pixels. Throws if it holds a shape that is not known here. */
export async function painted(drawing, scale) {
  const { documentElement: root } = new DOMParser().parseFromString(drawing, "image/svg+xml");
  const [, , width, height] = root.getAttribute("viewBox").split(/[ ,]+/).map(Number);
  const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  for (const shape of root.querySelectorAll("*")) {
    const { localName: name } = shape;
    if (PAINT[name]) PAINT[name](pen, shape);
    else if (!["g", "title", "desc", "tspan"].includes(name)) throw new TypeError(`cannot paint ${name}`);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
