// What the build says about this folder: see `configuration` in static_edition/pages.py.

export const site = JSON.parse(document.querySelector('meta[name="pairloom-site"]').content);
