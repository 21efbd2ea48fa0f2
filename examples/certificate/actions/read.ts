import type { ActionContext } from '@svc/sdk'

type Input = {
  /** The file in base64. */
  pdf: string
}

/** As much of the answer as is used here; `/api/schemas/registry-1.5.0.json` describes all of it. */
type Parsed = {
  data: {
    unique_number: string
    major_summary: { owners: readonly { name: string; final_share: string | null }[] }
    diagnostics: { warnings: readonly { message: string }[] }
  }
  confidence: { overall: number }
}

/** Below it a person looks at the certificate. */
const CERTAIN = 90

/** By its name svc tries no further: the same file is refused each time. */
const final = (message: string): Error =>
  Object.assign(new Error(message), { name: 'NonRetryableError' })

const parse = async ({
  input,
  variables,
  fetch,
}: Pick<ActionContext<Input>, 'input' | 'variables' | 'fetch'>): Promise<Parsed> => {
  const form = new FormData()
  const bytes = Uint8Array.from(atob(input.pdf), (char) => char.charCodeAt(0))
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'certificate.pdf')
  const answer = await fetch(
    `${variables.PARSER_URL ?? 'https://svc.example.com'}/document-parser/registry`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${variables.PARSER_KEY ?? ''}` },
      body: form,
    },
  )
  if (answer.ok) return (await answer.json()) as Parsed
  const text = await answer.text()
  // 429 and 503 pass by themselves; a file that is refused stays refused, and costs nothing
  if (answer.status === 429 || answer.status >= 500) throw new Error(text)
  throw final(text)
}

/** What of the certificate goes on, and whether a person should look at it first. */
export const main = async (ctx: Pick<ActionContext<Input>, 'input' | 'variables' | 'fetch'>) => {
  const { data, confidence } = await parse(ctx)
  const warnings = data.diagnostics.warnings.map(({ message }) => message)
  const isCertain = confidence.overall >= CERTAIN && warnings.length === 0
  return {
    number: data.unique_number,
    owners: data.major_summary.owners.map(({ name, final_share: share }) => ({ name, share })),
    isCertain,
    why: isCertain ? '' : [`confidence ${confidence.overall}`, ...warnings].join('; '),
  }
}
