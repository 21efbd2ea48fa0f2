/** The first steps in an empty workspace: a checklist that marks its items done on its own. */
import { Circle, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { starterFiles } from '../../draft/starter-files.ts'
import { ActionButtons } from '../../kit/action.tsx'
import { useMessages } from '../../language/messages.ts'
import { useApi, useWorkspace } from '../../session/api.ts'
import { useMay } from '../../session/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { Card } from '../../ui/facts.tsx'
import styles from './first-steps.module.css'
import type { FirstStep } from './first-steps.ts'
import { messages } from './first-steps-messages.ts'
import type { FirstStepsState } from './use-first-steps.ts'

const EXAMPLE = 'example'
const MOST_DRAFTS = 200

export const FirstStepsCard = (state: FirstStepsState) => {
  const t = useMessages(messages)
  const { steps, hide } = state
  if (steps === null) return null
  const next = steps.find(({ isDone }) => !isDone)?.step
  return (
    <Card
      title={t.firstSteps}
      actions={
        <span className={styles.head}>
          {t.progress(steps.filter(({ isDone }) => isDone).length, steps.length)}
          <Button look="quiet" onClick={hide}>
            {t.hide}
          </Button>
        </span>
      }
    >
      <ol className={styles.steps}>
        {steps.map(({ step, isDone }) => (
          <li key={step} data-done={isDone ? '' : undefined}>
            {isDone ? (
              <CircleCheck size={18} aria-label={t.done} />
            ) : (
              <Circle size={18} aria-hidden="true" />
            )}
            <div>
              <h3>{TITLES[step](t)}</h3>
              {isDone ? null : <Step step={step} isNext={step === next} {...state} />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

type Texts = ReturnType<typeof useMessages<(typeof messages)['en']>>

const TITLES: Readonly<Record<FirstStep, (t: Texts) => string>> = {
  deploy: (t) => t.deploy,
  run: (t) => t.runStep,
  log: (t) => t.logStep,
  schedule: (t) => t.schedule,
  invite: (t) => t.invite,
}

type StepProps = FirstStepsState & Readonly<{ step: FirstStep; isNext: boolean }>

const Step = (props: StepProps): ReactNode => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const { step, isNext, action, job } = props
  const look = isNext ? 'primary' : 'normal'
  if (step === 'deploy') return <DeployStep />
  if (step === 'run') {
    return (
      <>
        <p>{t.runText}</p>
        {action === null ? null : (
          <ButtonLink look={look} to="/w/$ws/apps/$app/actions/$action" params={{ ws, ...action }}>
            {t.runButton(`${action.app}/${action.action}`)}
          </ButtonLink>
        )}
      </>
    )
  }
  if (step === 'log') {
    return (
      <>
        <p>{t.logText}</p>
        {job === null ? null : (
          <ButtonLink
            look={look}
            to="/w/$ws/jobs/$id"
            params={{ ws, id: job }}
            search={{ tab: 'log' }}
          >
            {t.logButton}
          </ButtonLink>
        )}
      </>
    )
  }
  return step === 'schedule' ? (
    <>
      <p>{t.scheduleText}</p>
      {action === null ? null : (
        <ButtonLink look={look} to="/w/$ws/schedules/new" params={{ ws }}>
          {t.scheduleButton}
        </ButtonLink>
      )}
    </>
  ) : (
    <>
      <p>{t.inviteText}</p>
      <ButtonLink look={look} to="/w/$ws/members" params={{ ws }}>
        {t.inviteButton}
      </ButtonLink>
    </>
  )
}

/** Creates the example draft. If a draft of that name exists, perhaps with changes by a person, it is deployed as it is. */
const useMakeExample = () => {
  const api = useApi()
  return async (): Promise<void> => {
    const params = { app: EXAMPLE }
    const { items } = await api.get('/drafts', { query: { limit: MOST_DRAFTS } })
    if (!items.some(({ app }) => app === EXAMPLE)) {
      await api.put('/drafts/{app}', { params, body: { files: starterFiles(EXAMPLE) } })
    }
    await api.post('/drafts/{app}/deploy', { params, body: {} })
  }
}

const DeployStep = () => {
  const t = useMessages(messages)
  const ws = useWorkspace()
  const may = useMay()
  const make = useMakeExample()
  return (
    <>
      <p>{t.deployText}</p>
      <CommandLine
        command={`svc login ${location.origin} && svc init my-app && cd my-app && svc deploy`}
      />
      <span className={styles.buttons}>
        <ActionButtons
          actions={[
            {
              label: t.makeExample,
              look: 'primary',
              isOffered: may('drafts:write') && may('drafts:read'),
              run: make,
              touches: [[ws]],
              done: t.made,
              failed: t.notMade,
            },
          ]}
        />
        <ButtonLink look="quiet" to="/w/$ws/apps" params={{ ws }}>
          {t.otherWays}
        </ButtonLink>
      </span>
    </>
  )
}
