// The colours that a person has chosen in the playground hold here, too. It runs before
// anything is painted.
try {
  const theme = localStorage.getItem("stile.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden; the system's colours it is.
}
