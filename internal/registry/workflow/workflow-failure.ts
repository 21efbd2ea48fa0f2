/** The ways in which a workflow-style call ends without a result, and what its caller can do about each. */
import type { PropertyType } from '../schema/title.ts'

export type WorkflowFailure = Readonly<{ error: string; advice: string }>

/** The failures by code: while the file is fetched, while it is read, and while its content is checked. */
const FAILURES = {
  unreachable: [
    'The file could not be fetched.',
    'Check that imageUrl opens without a login, answers 200 and does not lead to another host.',
  ],
  too_slow_to_fetch: [
    'The file did not arrive within 15 seconds.',
    'Put it on a faster host, or make it smaller.',
  ],
  too_large: ['The file is larger than 10 MB.', 'Send it in fewer pages or with less resolution.'],
  empty: ['The file is empty.', 'Check what imageUrl answers.'],
  unsupported_type: [
    'The file is not a PDF, JPG or PNG.',
    'Send the certificate as a PDF, JPG or PNG; what the file is called does not matter.',
  ],
  encrypted: ['The PDF opens by a password only.', 'Send it without a password.'],
  broken: [
    'The file is damaged or cut short.',
    'Open it on your computer; if it opens there, save a copy and send the copy.',
  ],
  too_complex: [
    'The file takes too much time or memory to read.',
    'Send the PDF as the registry issues it, or fewer pages at once.',
  ],
  low_resolution: [
    'The image has less than 200 DPI.',
    'Scan the certificate at 300 DPI or more, in colour, flat and straight.',
  ],
  in_pieces: [
    'A page consists of images that cannot be put together.',
    'Scan each page as one image, or send the pages as JPG or PNG.',
  ],
  nothing_recognised: [
    'Nothing of a registry certificate was recognised.',
    'Send the PDF as the registry issues it, or scan it at 300 DPI or more, in colour, flat and straight.',
  ],
  unsupported_document: [
    'This is a certificate of another kind.',
    'Send a certificate of a land, building or aggregate building register.',
  ],
} as const satisfies Record<string, readonly [error: string, advice: string]>

export type WorkflowFailureCode = keyof typeof FAILURES

/** Returns the sentences of a failure: what is wrong, and what the caller can do. */
export const failureOf = (code: WorkflowFailureCode): WorkflowFailure => {
  const [error, advice] = FAILURES[code]
  return { error, advice }
}

/** The failure of a valid certificate of another kind than requested. */
export const mismatchOf = (wanted: PropertyType, found: PropertyType): WorkflowFailure => ({
  error: `The certificate is of the kind ${found}, not ${wanted}.`,
  advice: `Ask with documentType "${found}", or send a certificate of the other kind.`,
})
