/** Copies a text to the clipboard, and shows that it was copied. */
import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { defineMessages, useMessages } from '../language/messages.ts'
import { IconButton } from './button.tsx'
import { announce } from './toast.tsx'

const messages = defineMessages({
  copy: { en: 'Copy', ko: '복사' },
  copied: { en: 'Copied', ko: '복사됨' },
  refused: {
    en: 'The browser blocked copying. Select the text and copy it manually.',
    ko: '브라우저가 복사를 허용하지 않았습니다. 직접 선택해 복사하세요.',
  },
})

const SHOWN_MS = 2_000

export type CopyButtonProps = Readonly<{
  /** The text. Use a function for a long text; it is called when it is copied. */
  text: string | (() => string)
  label?: string
}>

export const CopyButton = ({ text, label }: CopyButtonProps) => {
  const t = useMessages(messages)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
    } catch {
      announce({ tone: 'bad', title: t.refused })
    }
  }
  return (
    <IconButton
      label={isCopied ? t.copied : (label ?? t.copy)}
      icon={isCopied ? <Check size={15} /> : <Copy size={15} />}
      onClick={() => void copy()}
    />
  )
}
