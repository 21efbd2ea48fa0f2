/** The scan qualities that the report measures, and a few below what is promised, for the lower end of confidence. */
import type { ScanQuality } from './scan-pages.ts'

export const MEASURED_QUALITIES: readonly ScanQuality[] = [
  { name: '200 dpi', dpi: 200 },
  { name: '300 dpi', dpi: 300 },
  { name: '200 dpi, skew 1°', dpi: 200, skew: 1 },
  { name: '200 dpi, noise', dpi: 200, noise: 16 },
  { name: '200 dpi, JPEG 60', dpi: 200, quality: 60 },
  { name: '200 dpi, skew 1°, noise, JPEG 60', dpi: 200, skew: 1, noise: 16, quality: 60 },
]

export const POOR_QUALITIES: readonly ScanQuality[] = [
  { name: '200 dpi, heavy noise', dpi: 200, noise: 40 },
  { name: '200 dpi, out of focus, JPEG 40', dpi: 200, blur: 1, quality: 40 },
  { name: '200 dpi, far out of focus', dpi: 200, blur: 2 },
]
