/** Previews: a separate app for each pushed branch other than main (docs/git-push.md). Pure. */
import type { z } from 'zod'
import { MAX_KEY_LENGTH } from '../key-patterns.ts'
import { mapping, yesOrNo } from '../manifest/fields.ts'

/** Which parts of a preview start jobs by themselves. */
export const previewSettings = mapping(
  {
    schedules: yesOrNo.default(false),
    webhooks: yesOrNo.default(false),
    events: yesOrNo.default(false),
  },
  '{ schedules: true }',
)
export type PreviewSettings = Readonly<z.output<typeof previewSettings>>

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
  const key = `${app}--${name}`.slice(0, MAX_KEY_LENGTH).replace(/-+$/, '')
  return name === '' || key.length < app.length + 3 ? null : key
}

/** The fields of a manifest that this file reads. */
type Previewed = Readonly<{
  key: string
  schedules: readonly unknown[]
  webhooks: readonly unknown[]
  events: readonly unknown[]
  previews?: PreviewSettings
}>

/** Returns the manifest of a preview. By itself it starts only what the manifest's `previews` name. */
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

/** The prefix of the branches of trials. A branch of git cannot contain a colon. */
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
    key: `${app.slice(0, MAX_KEY_LENGTH - suffix.length)}${suffix}`,
    branch: `${TRIAL_BRANCH}${person}`,
  }
}

/** Whether an app may be a trial, by its key. */
export const isTrialKey = (key: string): boolean => TRIAL_SUFFIX.test(key)

/** Whether a preview is a trial, by its branch. */
export const isTrialBranch = (branch: string | null): boolean =>
  branch?.startsWith(TRIAL_BRANCH) === true

/** Returns the manifest of a trial. Whatever its `previews` name, only its person starts it. */
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
