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

/** The pieces of a line: its text, and parts that look different. */
const runs = (shape) =>
  [...shape.childNodes].map((node) => {
    const part = node.nodeType === Node.ELEMENT_NODE ? node : shape;
    const size = `${number(part, "font-size", 16)}px`;
    const font = [own(part, "font-style", "normal"), own(part, "font-weight", "400"), size, own(part, "font-family", "sans-serif")];
    return { text: node.textContent, font: font.join(" "), fill: own(part, "fill", "#000") };
  });

function paintText(pen, shape) {
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  const widths = runs(shape).map(({ text, font }) => {
    pen.font = font;
    return pen.measureText(text).width;
  });
  const whole = widths.reduce((sum, width) => sum + width, 0);
  let x = number(shape, "x") - whole * { start: 0, middle: 0.5, end: 1 }[own(shape, "text-anchor", "start")];
  runs(shape).forEach(({ text, font, fill }, place) => {
    pen.font = font;
    pen.fillStyle = fill;
    pen.fillText(text, x, number(shape, "y"));
    x += widths[place];
  });
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
