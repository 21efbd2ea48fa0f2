import { defineMessages } from '../../../language/messages.ts'

export const stepMessages = defineMessages({
  steps: { en: 'Durable steps', ko: '내구성 단계' },
  none: {
    en: 'This job has no durable steps. An action records them by ctx.step, ctx.sleep, ctx.waitForEvent, ctx.call and ctx.callFlow.',
    ko: '이 작업에는 내구성 단계가 없습니다. 액션은 ctx.step, ctx.sleep, ctx.waitForEvent, ctx.call, ctx.callFlow로 단계를 기록합니다.',
  },
  step: { en: 'step', ko: '단계' },
  sleep: { en: 'sleep', ko: '대기' },
  event: { en: 'waits for an event', ko: '이벤트 대기' },
  job: { en: 'called job', ko: '호출한 작업' },
  run: { en: 'called flow run', ko: '호출한 플로우 실행' },
})
