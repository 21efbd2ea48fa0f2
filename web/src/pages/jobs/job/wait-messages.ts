import { defineMessages } from '../../../language/messages.ts'

const KOREAN: Readonly<Record<string, string>> = {
  worker: '작업을 처리할 워커를 기다립니다.',
  tag: '이 태그의 작업을 처리하는 워커가 없습니다.',
  level: '필요한 격리 수준을 갖춘 워커가 없습니다.',
  concurrency: '동시 실행 한도에 도달해 순서를 기다립니다.',
  rate: '실행 속도 제한으로 순서를 기다립니다.',
  fairness: '다른 키의 작업이 먼저 실행됩니다.',
  quota: '워크스페이스의 동시 실행 한도에 도달했습니다.',
  time: '예정된 시각을 기다립니다.',
}

export const waitMessages = defineMessages({
  sleeps: {
    en: (step: string) => `Waits in step ${step} until`,
    ko: (step: string) => `${step} 단계에서 대기, 재개 예정`,
  },
  event: {
    en: (step: string) => `Waits for the event of step ${step}`,
    ko: (step: string) => `${step} 단계의 이벤트를 기다립니다`,
  },
  call: {
    en: (step: string) => `Waits for the job or flow run of step ${step}`,
    ko: (step: string) => `${step} 단계의 작업 또는 플로우 실행을 기다립니다`,
  },
  calledJob: {
    en: (step: string) => `Waits for the job of step ${step}`,
    ko: (step: string) => `${step} 단계의 작업을 기다립니다`,
  },
  calledRun: {
    en: (step: string) => `Waits for the flow run of step ${step}`,
    ko: (step: string) => `${step} 단계의 플로우 실행을 기다립니다`,
  },
  due: { en: 'Due', ko: '실행 예정' },
  reason: {
    en: (_reason: string, detail: string) => detail,
    ko: (reason: string, detail: string) => KOREAN[reason] ?? detail,
  },
})
