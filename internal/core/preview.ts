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

const TRIAL_SUFFIX = /--try-[0-9a-f]{8}$/

/** The branch of trials: no branch of git has a colon. */
const TRIAL_BRANCH = 'draft:'

/**
 * Names the preview in which a person tries a draft without deploying it.
 * @param hash of the app and the person, in hexadecimal
 */
export const trialOf = (
  app: string,
  { person, hash }: Readonly<{ person: string; hash: string }>,
): Readonly<{ key: string; branch: string }> => {
  const suffix = `--try-${hash.slice(0, 8)}`
  return {
    key: `${app.slice(0, MAX_KEY - suffix.length)}${suffix}`,
    branch: `${TRIAL_BRANCH}${person}`,
  }
}

/** Whether an app may be a trial, by its key. */
export const isTrialKey = (key: string): boolean => TRIAL_SUFFIX.test(key)

/** Whether a preview is a trial, by its branch. */
export const isTrialBranch = (branch: string | null): boolean =>
  branch?.startsWith(TRIAL_BRANCH) === true

/** The manifest of a trial: whatever its `previews` name, nothing starts it but its person. */
export const toTrial = <Manifest extends Previewed & Readonly<{ name: string }>>(
  manifest: Manifest,
  key: string,
): Manifest => ({
  ...manifest,
  key,
  name: `${manifest.name} (trial)`,
  schedules: [],
  webhooks: [],
  events: [],
})
