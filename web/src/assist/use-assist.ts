/** The completion for a file of an app, loaded with the first file that needs it. */
import { useQuery } from '@tanstack/react-query'
import type { CodeAssist } from '../ui/code/code-assist.ts'
import { manifestAssist } from './manifest-assist.ts'

const loadManifest = async (signal: AbortSignal): Promise<CodeAssist> => {
  const answer = await fetch('/api/schemas/app.json', { signal })
  if (!answer.ok) throw new Error(`The schema of app.yaml is not there: ${answer.status}.`)
  return manifestAssist(await answer.json())
}

const loadSdk = async (): Promise<CodeAssist> => {
  const [{ default: source }, { ACTION_TYPES, sdkMembers }, { sdkAssist }] = await Promise.all([
    import('../../../sdk/mod.ts?raw'),
    import('./sdk-members.ts'),
    import('./sdk-assist.ts'),
  ])
  return sdkAssist(sdkMembers(source, ACTION_TYPES))
}

type Subject = 'manifest' | 'sdk' | null

const subjectOf = (path: string): Subject => {
  if (path === 'app.yaml') return 'manifest'
  return /\.[cm]?[jt]sx?$/.test(path) ? 'sdk' : null
}

/** @returns null for a file without completion, and until it is loaded */
export const useAssist = (path: string | undefined): CodeAssist | null => {
  const subject = path === undefined ? null : subjectOf(path)
  const { data } = useQuery({
    queryKey: ['assist', subject],
    queryFn: ({ signal }) => (subject === 'manifest' ? loadManifest(signal) : loadSdk()),
    enabled: subject !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return subject === null ? null : (data ?? null)
}
