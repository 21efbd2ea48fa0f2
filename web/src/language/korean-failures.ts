/** Sentences about the failure of a job, step or run, in Korean. A group of the pattern stays as it is. */
export const KOREAN_FAILURE_SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^The job ran longer than its limit of ([\d.]+) s\.$/, '제한 시간 $1초를 넘겼습니다.'],
  [
    /^The job used more than its limit of ([\d.]+) s of processor time\.$/,
    'CPU 사용 시간의 한도 $1초를 넘겼습니다.',
  ],
  [/^The job used more than its limit of (\d+) MB of memory\.$/, '메모리 한도 $1MB를 넘겼습니다.'],
  [
    /^The worker that ran this attempt stopped answering\.$/,
    '이 시도를 실행하던 워커가 응답하지 않습니다.',
  ],
  [
    /^No approver answered within the time that the step allows\.$/,
    '단계의 제한 시간 안에 승인자가 답하지 않았습니다.',
  ],
  [
    /^The worker that ran this job stopped answering, as often as the limit allows\.$/,
    '작업을 실행하던 워커가 한도만큼 응답을 멈췄습니다.',
  ],
  [
    /^The job kept more than (\d+) MB or (\d+) files in its temporary folder\.$/,
    '임시 폴더의 한도 $1MB 또는 파일 $2개를 넘겼습니다.',
  ],
  [
    /^The job sent and received more than the network limit of one job, (\d+) GB\.$/,
    '네트워크 전송량의 한도 $1GB를 넘겼습니다.',
  ],
  [
    /^The job requested its state or links from svc more than (\d+) times\.$/,
    '상태나 링크를 svc에 요청할 수 있는 한도 $1번을 넘겼습니다.',
  ],
  [
    /^The result is larger than (\d+) bytes\. Return less, or store it and return where it is\.$/,
    '결과가 한도 $1바이트보다 큽니다. 더 적게 반환하거나, 다른 곳에 저장하고 그 위치를 반환하세요.',
  ],
  [
    /^The result is too large\. It takes ([\d.]+) MB where it is stored, and the database takes at most ([\d.]+) MB as one value\..*$/,
    '결과가 너무 큽니다. 저장하면 $1MB인데 데이터베이스의 값 하나는 최대 $2MB입니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^The result of a step holds at most (\d+) MiB as JSON\. .*$/,
    '단계의 결과는 JSON으로 최대 $1MiB입니다. 더 적게 반환하거나, 다른 곳에 저장하고 그 위치를 반환하세요.',
  ],
  [
    /^The result nests deeper than (\d+) levels\.$/,
    '결과가 한도 $1단계보다 깊게 중첩되어 있습니다.',
  ],
  [
    /^main must return what JSON can hold, not a value of type (\w+)\.?$/,
    'main이 JSON으로 나타낼 수 없는 $1 형식의 값을 반환했습니다.',
  ],
  [
    /^main must return what JSON can hold: ([\s\S]+)$/,
    'main의 반환값을 JSON으로 나타낼 수 없습니다: $1',
  ],
  [
    /^A step must return what JSON can hold, not a value of type (\w+)\.$/,
    '단계가 JSON으로 나타낼 수 없는 $1 형식의 값을 반환했습니다.',
  ],
  [
    /^A step must return what JSON can hold: ([\s\S]+)$/,
    '단계의 반환값을 JSON으로 나타낼 수 없습니다: $1',
  ],
  [
    /^(\S+) exports no function named main\. .*$/,
    '$1 파일이 main 함수를 내보내지 않습니다. export async function main(ctx) { … } 형식으로 쓰세요.',
  ],
  [
    /^svc does not let this job reach (\S+): (\S+) is in a private network and not granted: .*$/,
    '$1에 연결할 수 없습니다. 사설 네트워크의 $2은(는) 허용되지 않았습니다. 운영자가 SVC_EGRESS_ALLOW나 워크스페이스의 egress_allow로 허용합니다.',
  ],
  [
    /^The process of the job ended by itself: exit code (\d+)\.$/,
    '작업의 프로세스가 스스로 끝났습니다(종료 코드 $1).',
  ],
  [
    /^The process of the job ended by itself: signal (\w+)\.$/,
    '작업의 프로세스가 스스로 끝났습니다(시그널 $1).',
  ],
  [/^The process could not be started: ([\s\S]+)$/, '작업의 프로세스를 시작하지 못했습니다: $1'],
  [/^The process did not take the job\.$/, '프로세스가 작업을 받지 않았습니다.'],
  [
    /^The process wrote something that is not a message of svc\.$/,
    '작업의 프로세스가 svc의 메시지가 아닌 것을 보냈습니다.',
  ],

  // flows
  [/^The items of step "(.+)" are no list\.$/, '"$1" 단계에서 반복할 값이 목록이 아닙니다.'],
  [
    /^Step "(.+)" has (\d+) items; (\d+) are the limit\.$/,
    '"$1" 단계에서 반복할 항목이 $2개로, 한도 $3개를 넘습니다.',
  ],
  [
    /^The `until` of step "(.+)" is not a time such as (.+)\.$/,
    '"$1" 단계의 `until`이 $2 같은 시각이 아닙니다.',
  ],
  [
    /^The `match` of step "(.+)" is not a single value\.$/,
    '"$1" 단계의 `match`가 문자열, 숫자, 불리언이 아닙니다.',
  ],
  [
    /^The `match` of step "(.+)" must have (\d+) to (\d+) characters\.$/,
    '"$1" 단계의 `match`는 $2~$3자여야 합니다.',
  ],
  [
    /^The event (.+) did not come within the time that the step allows\.$/,
    '단계의 제한 시간 안에 $1 이벤트가 오지 않았습니다.',
  ],
  [/^Rejected by (\S+): ([\s\S]+)$/, '반려한 사람: $1. 사유: $2'],
  [/^Rejected by (\S+)$/, '반려한 사람: $1'],
  [/^(\$\{[\s\S]*) is not a reference\.$/, '$1은(는) 참조가 아닙니다.'],
  [
    /^(\$\{.+\}) is not a single value, so it cannot be part of a text\.$/,
    '$1은(는) 목록이나 객체라서 문자열에 넣을 수 없습니다.',
  ],
  [/^(\$\{.+\}) does not exist in this run\.$/, '이 실행에는 $1 값이 없습니다.'],
  [
    /^(\$\{.+\}) does not exist in this run\. The result of step ".+" is null, .*$/,
    '이 실행에는 $1 값이 없습니다. 그 단계의 결과가 비어 있습니다(건너뛴 단계의 결과는 비어 있습니다).',
  ],
  [/^(\$\{.+\}) is valid only inside a loop\.$/, '$1은(는) 반복 안에서만 쓸 수 있습니다.'],
  [/^(\$\{.+\}) must begin with (.+)\.$/, '$1은(는) 다음 중 하나로 시작해야 합니다: $2'],
  [
    /^The condition compares more than (\d+) values of lists and objects\. .*$/,
    '조건식이 목록과 객체의 값을 $1개 넘게 비교합니다. 일부나 개수만 비교하세요.',
  ],
  [
    /^(`[<>]=?`) compares two numbers or two texts, not (?:a |an )?(\w+) and (?:a |an )?(\w+)\.$/,
    '$1은(는) 숫자 둘 또는 문자열 둘만 비교합니다. 받은 값: $2, $3',
  ],
  [
    /^An input of step "(.+)" would be larger than (\d+) MiB\. .*$/,
    '"$1" 단계의 입력이 한도 $2MiB보다 큽니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^All inputs of step "(.+)" together would be larger than (\d+) MiB\. .*$/,
    '"$1" 단계의 입력을 모두 합하면 한도 $2MiB보다 큽니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^All results of step "(.+)" together would be larger than (\d+) MiB\. .*$/,
    '"$1" 단계의 결과를 모두 합하면 한도 $2MiB보다 큽니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^The results of all steps of this run together would be larger than (\d+) MiB\. .*$/,
    '이 실행의 모든 단계의 결과를 합하면 한도 $1MiB보다 큽니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^A text of an input would be larger than (\d+) MiB\. .*$/,
    '입력의 문자열이 한도 $1MiB보다 큽니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [
    /^What the step leaves is too large\. It takes ([\d.]+) MB where it is stored, and the database takes at most ([\d.]+) MB as one value\..*$/,
    '단계가 남기는 데이터가 너무 큽니다. 저장하면 $1MB인데 데이터베이스의 값 하나는 최대 $2MB입니다. 다른 곳에 저장하고 그 위치를 전달하세요.',
  ],
  [/^svc could not work out how the run goes on: ([\s\S]+)$/, '실행을 이어 갈 수 없습니다: $1'],

  // faults of a condition, after the sentence about it
  [/^it has more than (\d+) characters$/, '$1자를 넘습니다.'],
  [/^it nests deeper than (\d+) levels$/, '$1단계보다 깊게 중첩되어 있습니다.'],
  [/^two comparisons in a row need && or \|\|$/, '비교 두 개를 이으려면 &&나 ||가 필요합니다.'],
  [/^a "\)" is missing$/, '")"가 없습니다.'],
  [/^it ends where a value is expected$/, '값이 올 자리에서 끝났습니다.'],
  [/^"(.+)" is where a value is expected$/, '값이 올 자리에 "$1"이(가) 있습니다.'],
  [
    /^a reference in a condition has no braces: write ([\s\S]+)$/,
    '조건식의 참조에는 중괄호를 쓰지 않습니다. $1(으)로 쓰세요.',
  ],
  [/^"([\s\S]+)" is not understood$/, '"$1" 부분이 올바르지 않습니다.'],
  [/^there is more text after its end$/, '조건식이 끝난 뒤에 다른 내용이 있습니다.'],

  // what svc refuses to a script
  [
    /^Jobs have started one another (\d+) times\. .*$/,
    '작업이 서로를 $1번 이어서 시작했습니다. 연쇄를 끝내거나, 다음 작업을 밖에서 시작하세요.',
  ],
  [
    /^A job makes at most ([\d,]+) calls of (ctx\.run, ctx\.startFlow) and (ctx\.sendEvent)\. .*$/,
    '작업 하나는 $2, $3를 모두 합해 최대 $1번 호출합니다. 여러 작업으로 나누세요.',
  ],
  [
    /^A job has at most (\d+) durable steps\..*$/,
    '작업 하나의 단계는 최대 $1개입니다. 여러 작업으로 나누세요.',
  ],
  [
    /^A job calls (.+) and (ctx\.uuid\(\)) at most (\d+) times outside of steps\.$/,
    '작업 하나는 단계 밖에서 $1, $2를 최대 $3번 호출합니다.',
  ],
  [
    /^"(.+)" is an? (\w+) now and was recorded as an? (\w+)\. .*$/,
    '"$1"의 종류는 지금 $2인데 $3(으)로 기록되어 있습니다. 작업이 끝날 때까지 이름의 종류는 같아야 합니다.',
  ],
  [
    /^"(.+)" is inside of step "(.+)"\. .*$/,
    '"$1"이(가) "$2" 단계 안에 있습니다. 단계는 차례로 호출하고, 단계의 함수에는 보통 코드만 쓰세요.',
  ],
  [
    /^This run has met a step "(.+)" already\. .*$/,
    '"$1" 단계가 이미 있습니다. 반복의 번호를 붙이는 등 단계마다 다른 이름을 쓰세요.',
  ],
  [
    /^A state value holds at most (\d+) KiB as JSON\. .*$/,
    '상태 값은 JSON으로 최대 $1KiB입니다. 줄이거나 여러 키로 나누세요.',
  ],
  [
    /^An app keeps at most ([\d,]+) keys of state\. .*$/,
    '앱 하나의 상태는 키가 최대 $1개입니다. 먼저 일부를 삭제하세요.',
  ],
  [
    /^"(.+)" was changed by others at each of (\d+) tries\.$/,
    '$2번 시도하는 동안 매번 다른 작업이 "$1" 값을 바꿨습니다.',
  ],
  [/^The job was canceled\.$/, '작업이 취소되었습니다.'],
  [/^The job ended before this step did\.$/, '단계가 끝나기 전에 작업이 끝났습니다.'],
]

/** What a job, step or run failed with, by the name of the error [jobs 8.10] [flows 8.6]. */
export const KOREAN_FAILURES: Readonly<Record<string, string>> = {
  Timeout: '제한 시간을 넘겼습니다.',
  CpuLimit: 'CPU 사용 시간의 한도를 넘겼습니다.',
  OutOfMemory: '메모리 한도를 넘겼습니다.',
  DiskLimit: '임시 폴더의 한도를 넘겼습니다.',
  NetworkLimit: '네트워크 전송량의 한도를 넘겼습니다.',
  RequestLimit: 'svc에 보낼 수 있는 요청 수를 넘겼습니다.',
  ResultTooLarge: '결과가 너무 큽니다.',
  InvalidResult: '결과를 JSON으로 나타낼 수 없습니다.',
  InvalidAction: 'main 함수를 내보내지 않는 액션입니다.',
  NetworkNotGranted: '허용되지 않은 내부 주소에 연결하려 했습니다.',
  SandboxCrashed: '작업의 프로세스가 비정상 종료되었습니다.',
  WorkerLost: '작업을 실행하던 워커가 응답하지 않습니다.',
  MissingReference: '식이 가리키는 값이 없습니다.',
  BadReference: '식의 참조가 올바르지 않습니다.',
  BadCondition: '조건식이 올바르지 않습니다.',
  BadItems: '반복할 목록이 올바르지 않습니다.',
  BadTime: '시각이 올바르지 않습니다.',
  BadMatch: '이벤트의 키가 올바르지 않습니다.',
  EventTimeout: '제때 이벤트가 오지 않았습니다.',
  InvalidInput: '입력이 스키마에 맞지 않습니다.',
  FlowDataTooLarge: '플로우의 데이터가 너무 큽니다.',
  ApprovalRejected: '승인 요청이 반려되었습니다.',
  ApprovalTimeout: '제때 승인되지 않았습니다.',
  ChainTooDeep: '작업이 서로를 너무 여러 번 이어서 시작했습니다.',
  TooManyStarts: '작업이 다른 작업을 너무 많이 시작했습니다.',
  TooManySteps: '작업의 단계가 너무 많습니다.',
  TooManyDraws: '단계 밖에서 시각과 난수를 너무 많이 읽었습니다.',
  StepResultTooLarge: '단계의 결과가 너무 큽니다.',
  StepMismatch: '단계의 종류가 기록과 다릅니다.',
  NestedStep: '단계 안에서 다른 단계를 호출했습니다.',
  DuplicateStep: '같은 이름의 단계가 두 번 있습니다.',
  StateTooLarge: '상태 값이 너무 큽니다.',
  StateFull: '앱의 상태에 키가 너무 많습니다.',
  StateConflict: '다른 작업이 상태를 계속 바꾸고 있습니다.',
  Canceled: '취소되었습니다.',
  TransitionFailed: '실행을 이어 갈 수 없습니다.',
}
