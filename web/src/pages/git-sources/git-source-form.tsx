/** Connects a repository, or changes its settings. Secrets are sent and not kept; the other fields survive a reload. */
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Schemas } from '#sdk/client.ts'
import { parseJson } from '../../form/schema-form.tsx'
import { useKeptState } from '../../form/use-kept-state.ts'
import { ChangedNotice } from '../../kit/changed-notice.tsx'
import { useFormat } from '../../language/format.ts'
import { useMessages } from '../../language/messages.ts'
import { SECOND_MS } from '../../language/units.ts'
import { useWorkspace } from '../../session/api.ts'
import { SelectField, TextField } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { CredentialFields } from './credential-fields.tsx'
import {
  type ConflictField,
  type Credentials,
  draftOf,
  type GitSourceDraft,
  mayBeKept,
  nameOfUrl,
  readChanges,
} from './git-source-draft.ts'
import { formMessages } from './messages.ts'
import styles from './page.module.css'
import { Probe } from './probe.tsx'
import { useSave } from './use-save.ts'

type GitSourceFormProps = Readonly<{
  /** Null to create one. */
  known: Schemas['GitSource'] | null
  onClose: () => void
}>

const UNCHANGED = '{}'

const useDraft = (known: Schemas['GitSource'] | null) => {
  const ws = useWorkspace()
  const initial = draftOf(known)
  const [kept, keep, forget] = useKeptState(`git source ${ws} ${known?.id ?? 'new'}`, UNCHANGED)
  const [changes, setChanges] = useState(() => readChanges(parseJson(kept)))
  const change = (part: Partial<GitSourceDraft>): void => {
    const next = { ...changes, ...part }
    setChanges(next)
    keep(mayBeKept({ ...initial, ...next }) ? JSON.stringify(next) : UNCHANGED)
  }
  return { draft: { ...initial, ...changes }, changes, change, forget }
}

export const GitSourceForm = ({ known, onClose }: GitSourceFormProps) => {
  const t = useMessages(formMessages)
  const ws = useWorkspace()
  const navigate = useNavigate()
  const { draft, changes, change, forget } = useDraft(known)
  const [branches, setBranches] = useState<readonly string[]>([])
  const [chosen, setCredentials] = useState<Credentials>({
    kind: known?.has_auth === true ? 'keep' : 'none',
    secret: '',
  })
  // stored credentials are never sent to a URL that they were not entered for
  const mayKeep = known?.has_auth === true && draft.url.trim() === known.url
  const credentials: Credentials =
    chosen.kind === 'keep' && !mayKeep ? { kind: 'none', secret: '' } : chosen
  const save = useSave({
    known,
    draft,
    changes,
    credentials,
    onSaved: forget,
    leadOn: ({ id }) => {
      onClose()
      if (known === null) void navigate({ to: '/w/$ws/git-sources/$id', params: { ws, id } })
    },
  })
  return (
    <FormDialog
      isWide
      onClose={onClose}
      title={known === null ? t.newTitle : t.editTitle(known.name)}
      send={known === null ? t.connect : save.conflicts.length > 0 ? t.overwrite : t.save}
      onSend={() => save.run(undefined)}
      isBusy={save.isBusy}
      error={save.error}
      failed={t.notSaved}
    >
      <Conflicts fields={save.conflicts} now={draftOf(save.seen)} />
      <Address draft={draft} change={change} />
      <CredentialFields
        credentials={credentials}
        onChange={setCredentials}
        draft={draft}
        change={change}
        mayKeep={mayKeep}
        hint={known?.has_auth === true && !mayKeep ? t.urlChanged : undefined}
      />
      <Probe
        draft={draft}
        credentials={credentials}
        onFound={(found, first) => {
          setBranches(found)
          if (draft.branch === '' && first !== null) change({ branch: first })
        }}
      />
      <Place draft={draft} change={change} branches={branches} />
    </FormDialog>
  )
}

type ConflictsProps = Readonly<{ fields: readonly ConflictField[]; now: GitSourceDraft }>

const Conflicts = ({ fields, now }: ConflictsProps) => {
  const t = useMessages(formMessages)
  const { duration } = useFormat()
  if (fields.length === 0) return null
  const labels = { name: t.name, url: t.address, branch: t.branch, path: t.path, every: t.auto }
  const shown = {
    ...now,
    every: now.every === '' ? t.autoOff : t.every(duration(Number(now.every) * SECOND_MS)),
  }
  return <ChangedNotice now={fields.map((field) => [labels[field], shown[field] || '–'])} />
}

type PartProps = Readonly<{
  draft: GitSourceDraft
  change: (part: Partial<GitSourceDraft>) => void
}>

const Address = ({ draft, change }: PartProps) => {
  const t = useMessages(formMessages)
  return (
    <>
      <TextField
        isExact
        label={t.address}
        hint={t.urlHint}
        isRequired
        maxLength={2_048}
        value={draft.url}
        onText={(value) =>
          // the name follows the repository's name until the person changes it
          change({
            url: value,
            ...(draft.name === nameOfUrl(draft.url) ? { name: nameOfUrl(value) } : {}),
          })
        }
      />
      <TextField
        label={t.name}
        isRequired
        maxLength={200}
        value={draft.name}
        onText={(value) => change({ name: value })}
      />
    </>
  )
}

const INTERVALS_S: readonly number[] = [30, 60, 300, 900, 3_600, 21_600, 86_400]

const Place = ({
  draft,
  change,
  branches,
}: PartProps & Readonly<{ branches: readonly string[] }>) => {
  const t = useMessages(formMessages)
  const { duration } = useFormat()
  const list = useId()
  // an interval that was set by the API may not be in the list
  const intervals = [...new Set([...INTERVALS_S, Number(draft.every)])]
    .filter((each) => each > 0)
    .sort((one, other) => one - other)
  return (
    <div className={styles.pair}>
      <TextField
        isExact
        label={t.branch}
        hint={t.branchHint}
        list={list}
        maxLength={200}
        value={draft.branch}
        onText={(value) => change({ branch: value })}
      />
      <datalist id={list}>
        {branches.map((branch) => (
          <option key={branch} value={branch} />
        ))}
      </datalist>
      <TextField
        isExact
        label={t.path}
        hint={t.pathHint}
        maxLength={500}
        value={draft.path}
        onText={(value) => change({ path: value })}
      />
      <SelectField
        label={t.auto}
        value={draft.every}
        onChange={(every) => change({ every })}
        options={[
          { value: '', label: t.autoOff },
          ...intervals.map((seconds) => ({
            value: String(seconds),
            label: t.every(duration(seconds * SECOND_MS)),
          })),
        ]}
      />
    </div>
  )
}
