import { defineMessages, plural } from '../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Waits for an event', ko: '이벤트 대기 중' },
  timeout: { en: 'timeout', ko: '제한 시간' },
  send: { en: 'Send event', ko: '이벤트 보내기' },
  sendTitle: {
    en: (name: string) => `Send ${name}`,
    ko: (name: string) => `${name} 이벤트 보내기`,
  },
  note: {
    en: 'Wakes every job and flow run that waits for this event without a key.',
    ko: '이 이벤트를 키 없이 기다리는 모든 작업과 플로우 실행을 깨웁니다.',
  },
  noteWithKey: {
    en: (key: string) =>
      `Wakes every job and flow run that waits for this event with the key ${key}.`,
    ko: (key: string) => `키가 ${key}인 이 이벤트를 기다리는 모든 작업과 플로우 실행을 깨웁니다.`,
  },
  sent: {
    en: (count: number) => `Event sent to ${count} ${plural(count, 'receiver', 'receivers')}`,
    ko: (count: number) => `이벤트를 ${count}곳에 전달했습니다`,
  },
  notSent: { en: 'Could not send the event', ko: '이벤트를 보내지 못했습니다' },
})
