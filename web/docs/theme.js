// Applies the colour scheme that a person chose in the playground to the documentation, before
// anything is painted.
try {
  const theme = localStorage.getItem("stile.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden, so the colour scheme of the system applies.
}
