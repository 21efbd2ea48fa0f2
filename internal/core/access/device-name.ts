/** Names the device of a session from the header `User-Agent`. The name helps people and proves nothing. Pure. */

/** The first match wins, because other browsers name Chrome and Safari too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bWhale\//, 'Whale'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([sign]) => sign.test(text))?.[1]

/** @returns `Firefox, Linux`; null if nothing is recognized */
export const deviceName = (userAgent: string | null | undefined): string | null => {
  const text = (userAgent ?? '').slice(0, 1_000)
  const parts = [find(BROWSERS, text), find(SYSTEMS, text)].filter((part) => part !== undefined)
  return parts.length === 0 ? null : parts.join(', ')
}
