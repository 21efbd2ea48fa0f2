/** Whether shortcuts use the key ⌘ instead of Ctrl. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
