/** The measured certificate (test/registry/samples) as a PDF, as a caller of the parser sends it. */
import { measuredPages } from '../registry/measured-pages.ts'
import { writePdf } from './write-pdf.ts'

export const samplePages = () => [
  ...measuredPages('geometry-p01-title-first-page.tsv', 1),
  ...measuredPages('geometry-p03-landright-land.tsv', 2),
  ...measuredPages('geometry-p04-exclusive-landright-gapgu.tsv', 3),
  ...measuredPages('geometry-p08-eulgu.tsv', 4),
  ...measuredPages('geometry-p09-last-page.tsv', 5),
  ...measuredPages('geometry-p10-p11-summary.tsv', 6),
]

export const sampleCertificate = (): Buffer => writePdf(samplePages(), true)
