/** How sure one may be of a scan: OCR's own signs, fitted to certificates whose content is known (make scan-report). */
import type { OcrSigns } from '../page-content.ts'

/** @param sure the parser's own score, 0 to 100 */
export const scanConfidence = (sure: number, { confidence, doubtful }: OcrSigns): number =>
  sure * confidence * (1 - doubtful)
