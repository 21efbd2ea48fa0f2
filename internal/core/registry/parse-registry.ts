import type { Confidence, RegistryDocument } from './document.ts'
import type { SourceContent } from './page-content.ts'

export type RegistryParse =
  | Readonly<{ kind: 'document'; document: RegistryDocument; confidence: Confidence }>
  | Readonly<{
      kind: 'refused'
      code: 'unsupported_document' | 'nothing_recognised' | 'no_text_layer'
      message: string
    }>

export type ParseMeta = Readonly<{ parsedAt: string; documentId: string | null }>

const textOf = ({ pages }: SourceContent): string =>
  pages.map(({ texts }) => texts.map(({ text }) => text).join(' ')).join('\n')

/** Holds the place of the parser: knows its answers, and reads nothing but the number. */
export const parseRegistry = (source: SourceContent, meta: ParseMeta): RegistryParse => {
  const text = textOf(source)
  const [uniqueNumber] = /\d{4}-\d{4}-\d{6}/.exec(text) ?? []
  if (text.trim() === '') {
    return { kind: 'refused', code: 'no_text_layer', message: 'The PDF holds pictures only.' }
  }
  if (uniqueNumber === undefined) {
    return { kind: 'refused', code: 'nothing_recognised', message: 'No registry content.' }
  }
  const document: RegistryDocument = {
    meta: { parser_version: '1.5.0', parsed_at: meta.parsedAt, document_id: meta.documentId },
    profile: {
      certificate_type: 'full',
      include_cancellations: true,
      property_type: 'land',
      layout_profile: 'iros_view_v1',
    },
    source: { page_count: source.pages.length, text_length: text.length, pdf_text_based: true },
    unique_number: uniqueNumber,
    property_address: '',
    jurisdiction: null,
    viewed_at: null,
    issued_at: null,
    verification_image: source.picture,
    title: {
      property_type: 'land',
      address: null,
      land_type: null,
      land_area: null,
      land_entries: [],
    },
    section_a: [],
    section_b: [],
    trade_lists: [],
    major_summary: null,
    diagnostics: {
      errors: [],
      warnings: [],
      metrics: {},
      sections_found: [],
      rows_by_section: {},
      pages_by_section: {},
    },
    raw_text: text,
  }
  return { kind: 'document', document, confidence: { overall: 50, level: '낮음', details: {} } }
}
