/** A change that a person makes at the server: what shows it is read again, and a refusal is announced in the server's words. */
import { useMutation } from '@tanstack/react-query'
import { useErrorSentence } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'

export type ChangeOptions<Input, Answer> = Readonly<{
  change: (input: Input) => Promise<Answer>
  /** Query keys, by their beginnings, that are read again. */
  touches: readonly (readonly unknown[])[]
  /** Announced when it is done; left out where the page shows it by itself. */
  done?: string
  /** Announced above the server's sentence. Left out: the caller shows `error` in its form. */
  failed?: string
  onDone?: (answer: Answer) => void
}>

export type Change<Input, Answer> = Readonly<{
  run: (input: Input) => void
  isBusy: boolean
  error: Error | null
  /** Forgets answer and error. */
  reset: () => void
  /** What the server answered: kept nowhere else, and gone with the component. */
  answer: Answer | undefined
}>

export const useChange = <Input, Answer>(
  options: ChangeOptions<Input, Answer>,
): Change<Input, Answer> => {
  const { change, touches, done, failed, onDone } = options
  const sentence = useErrorSentence()
  const mutation = useMutation({
    mutationFn: change,
    // answers may hold what is shown once
    gcTime: 0,
    onSuccess: (answer) => {
      if (done !== undefined) announce({ title: done })
      onDone?.(answer)
    },
    onError: (error) => {
      if (failed !== undefined) announce({ tone: 'bad', title: failed, text: sentence(error) })
    },
    onSettled: () => {
      for (const queryKey of touches) void queryClient.invalidateQueries({ queryKey })
    },
  })
  return {
    run: (input) => mutation.mutate(input),
    isBusy: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
    answer: mutation.data,
  }
}
