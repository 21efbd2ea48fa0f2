/** Previews: an app of its own for each branch but main that is pushed (docs/git-push.md). Pure. */
import type { z } from 'zod'
import { mapping, yesOrNo } from './manifest-fields.ts'

/** What of a preview starts jobs by itself. */
export const previewSettings = mapping({
  schedules: yesOrNo.default(false),
  webhooks: yesOrNo.default(false),
  events: yesOrNo.default(false),
})
export type PreviewSettings = Readonly<z.output<typeof previewSettings>>

const MAX_KEY = 63

/**
 * Builds the key of a branch's preview, `<app>--<branch>`: lower case, everything but letters and digits as a hyphen, cut
 * at 63 characters.
 * @returns null for a branch without a letter or digit, or an app whose key leaves no room
 */
export const previewKeyOf = (app: string, branch: string): string | null => {
  const name = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const key = `${app}--${name}`.slice(0, MAX_KEY).replace(/-+$/, '')
  return name === '' || key.length < app.length + 3 ? null : key
}

/** What of a manifest this file reads. */
type Previewed = Readonly<{
  key: string
  schedules: readonly unknown[]
  webhooks: readonly unknown[]
  events: readonly unknown[]
  previews?: PreviewSettings
}>

/** The manifest of a preview: by itself it starts only what the manifest's `previews` name. */
export const toPreview = <Manifest extends Previewed>(
  manifest: Manifest,
  key: string,
): Manifest => {
  const { previews, schedules, webhooks, events } = manifest
  return {
    ...manifest,
    key,
    schedules: previews?.schedules === true ? schedules : [],
    webhooks: previews?.webhooks === true ? webhooks : [],
    events: previews?.events === true ? events : [],
  }
}
