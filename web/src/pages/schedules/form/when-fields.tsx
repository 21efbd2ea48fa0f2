/** The cron expression and its time zone, their meaning in words, and the next fire times, which the server computes. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { ApiError } from '#sdk/client.ts'
import { useLanguage } from '../../../language/language.ts'
import { useMessages } from '../../../language/messages.ts'
import { cronInWords } from '../../../schedule/cron-words.ts'
import { TimeTable } from '../../../schedule/time-table.tsx'
import { knownZones } from '../../../schedule/zone-time.ts'
import { useApi, useWorkspace } from '../../../session/api.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { useErrorSentence } from '../../../ui/notice.tsx'
import type { Draft } from './draft.ts'
import { messages } from './messages.ts'
import styles from './page.module.css'

export type WhenFieldsProps = Readonly<{
  draft: Draft
  faults: Readonly<Record<string, string>>
  onChange: (change: Partial<Draft>) => void
}>

const PRESETS = ['*/15 * * * *', '0 * * * *', '0 9 * * *', '0 9 * * 1-5', '0 9 * * 1', '0 0 1 * *']
const SHOWN = 5
const SETTLED_MS = 250

/** Returns the typed text once typing pauses. */
const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const usePreview = ({ cron, timezone }: Pick<Draft, 'cron' | 'timezone'>) => {
  const ws = useWorkspace()
  const api = useApi()
  const settledCron = useSettled(cron.trim())
  const settledZone = useSettled(timezone.trim())
  return useQuery({
    queryKey: [ws, 'schedule-preview', settledCron, settledZone],
    queryFn: async ({ signal }) => {
      const body = { cron: settledCron, timezone: settledZone, count: SHOWN }
      const { fire_times: times } = await api.post('/schedules/preview', { body, signal })
      // the server knows this time zone; the typed one may be incomplete
      return { times, zone: settledZone }
    },
    enabled: settledCron !== '' && settledZone !== '',
    placeholderData: keepPreviousData,
  })
}

/** The server's fault for one of the two fields. */
const faultOf = (error: Error | null, name: 'cron' | 'timezone'): string | undefined => {
  if (!(error instanceof ApiError)) return undefined
  return error.details.find(({ path }) => path.replace(/^body\.?/, '') === name)?.message
}

export const WhenFields = ({ draft, faults, onChange }: WhenFieldsProps) => {
  const t = useMessages(messages)
  const language = useLanguage()
  const sentence = useErrorSentence()
  const zones = useId()
  const { cron, timezone } = draft
  const { data, error } = usePreview(draft)
  const words = cronInWords(cron, language)
  const cronFault = faultOf(error, 'cron') ?? faults.cron
  const zoneFault = faultOf(error, 'timezone') ?? faults.timezone
  return (
    <>
      <div className={styles.row}>
        <TextField
          isExact
          label={t.cron}
          hint={t.cronHint}
          isRequired
          fault={cronFault}
          value={cron}
          onText={(text) => onChange({ cron: text })}
        />
        <TextField
          isExact
          label={t.zone}
          hint={t.zoneHint}
          isRequired
          fault={zoneFault}
          value={timezone}
          list={zones}
          onText={(text) => onChange({ timezone: text })}
        />
        <datalist id={zones}>
          {knownZones().map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      <fieldset className={styles.presets}>
        <legend>{t.presets}</legend>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            aria-pressed={preset === cron}
            title={preset}
            onClick={() => onChange({ cron: preset })}
          >
            {cronInWords(preset, language)}
          </Button>
        ))}
      </fieldset>
      <div className="stack-2" aria-live="polite">
        {words === null || cronFault !== undefined ? null : <p className={styles.words}>{words}</p>}
        {error !== null ? (
          cronFault === undefined && zoneFault === undefined ? (
            <p className="bad">{sentence(error)}</p>
          ) : null
        ) : data === undefined ? null : (
          <TimeTable {...data} />
        )}
      </div>
    </>
  )
}
