// Before the first paint, so that a chosen theme never flashes. The rest of it: src/theme/theme.ts.
try {
  const theme = localStorage.getItem('svc.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // no storage: the system's theme
}
