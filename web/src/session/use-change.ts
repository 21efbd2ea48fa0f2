/** A change on the server: the affected queries are read again, and a refusal is announced with the server's message. */
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useErrorSentence } from '../ui/notice.tsx'
import { announce } from '../ui/toast.tsx'
import { queryClient } from './query-client.ts'

export type ChangeOptions<Input, Answer> = Readonly<{
  change: (input: Input) => Promise<Answer>
  /** Prefixes of query keys to read again. */
  touches: readonly (readonly unknown[])[]
  /** Announced when it has succeeded. Leave it out if the page shows the change. */
  done?: string
  /** Announced above the server's message. Leave it out if the caller shows `error` in its form. */
  failed?: string
  /** Announced like `failed` if the form that shows `error` has closed before the response, for example by Back. */
  failedUnseen?: string
  onDone?: (answer: Answer) => void
  /** Opens what was made. Not called if the person has left the page meanwhile. */
  leadOn?: (answer: Answer) => void
}>

export type Change<Input, Answer> = Readonly<{
  run: (input: Input) => void
  isBusy: boolean
  error: Error | null
  /** Clears response and error. */
  reset: () => void
  /** The server's response. It is kept nowhere else, and is lost when the component unmounts. */
  answer: Answer | undefined
}>

export const useChange = <Input, Answer>(
  options: ChangeOptions<Input, Answer>,
): Change<Input, Answer> => {
  const { change, touches, done, failed, failedUnseen, onDone, leadOn } = options
  const sentence = useErrorSentence()
  const router = useRouter()
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  const mutation = useMutation({
    mutationFn: change,
    // responses may contain secrets that are shown once
    gcTime: 0,
    onMutate: () => router.state.location.pathname,
    onSuccess: (answer, _, sentFrom) => {
      if (done !== undefined) announce({ title: done })
      onDone?.(answer)
      if (router.state.location.pathname === sentFrom) leadOn?.(answer)
    },
    onError: (error) => {
      const title = failed ?? (isShown.current ? undefined : failedUnseen)
      if (title !== undefined) announce({ tone: 'bad', title, text: sentence(error) })
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
