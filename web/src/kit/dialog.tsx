/** A form that creates or changes a resource: what it sends, which queries it invalidates, and what it shows of the response. */
import type { ReactNode } from 'react'
import { type ChangeOptions, useChange } from '../session/use-change.ts'
import { FormDialog, type FormDialogProps } from '../ui/form/form-dialog.tsx'

export type ActionDialogProps<Answer> = Omit<
  FormDialogProps,
  'onSend' | 'isBusy' | 'isDisabled' | 'error' | 'children'
> &
  Pick<ChangeOptions<undefined, Answer>, 'touches' | 'done' | 'onDone' | 'leadOn'> &
  Readonly<{
    run: () => Promise<Answer>
    /** False while something is missing that the browser does not check. @default true */
    isComplete?: boolean
    /** Called before the form is sent. False stops it; the form then shows what is missing. */
    mayRun?: () => boolean
    /** The fields, or a function if they show the server's errors. */
    children?: ReactNode | ((error: Error | null) => ReactNode)
    /** Replaces the form after success, as ShownOnce does. The response is kept nowhere else. */
    result?: (answer: Answer) => ReactNode
  }>

export const ActionDialog = <Answer,>(props: ActionDialogProps<Answer>) => {
  const { run, touches, done, onDone, leadOn, ...shown } = props
  const { isComplete = true, mayRun, result, children, ...form } = shown
  const action = useChange<undefined, Answer>({
    change: run,
    touches,
    failedUnseen: form.failed,
    ...(done === undefined ? {} : { done }),
    ...(onDone === undefined ? {} : { onDone }),
    ...(leadOn === undefined ? {} : { leadOn }),
  })
  if (result !== undefined && action.answer !== undefined) return result(action.answer)
  return (
    <FormDialog
      {...form}
      onSend={() => {
        if (mayRun?.() ?? true) action.run(undefined)
      }}
      isBusy={action.isBusy}
      isDisabled={!isComplete}
      error={action.error}
    >
      {typeof children === 'function' ? children(action.error) : children}
    </FormDialog>
  )
}
