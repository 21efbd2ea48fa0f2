/**
 * Faults and warnings of app.yaml in Korean, in the form of `KOREAN_SENTENCES`: first those of its YAML, then those of its
 * fields and flows, then what is deployed but fails when it runs.
 */
export const KOREAN_MANIFEST: readonly (readonly [RegExp, string])[] = [
  // YAML
  [
    /^The indentation of this line fits no line above it\. .*$/,
    '이 줄의 들여쓰기가 위의 어느 줄과도 맞지 않습니다. 한 항목의 필드는 같은 열에서 시작해야 합니다.',
  ],
  [
    /^This line is indented too far, or the line above is wrong\. .*$/,
    '이 줄을 너무 깊이 들여 썼거나 윗줄이 잘못되었습니다. 한 항목의 필드는 같은 열에서 시작해야 합니다.',
  ],
  [/^Tabs cannot indent a line\. Use spaces\.$/, '탭으로 들여 쓸 수 없습니다. 공백을 쓰세요.'],
  [
    /^A name is followed by a colon and a space, as in `key: orders`\.$/,
    '이름 뒤에는 콜론과 공백이 필요합니다(예: key: orders).',
  ],
  [
    /^A comma is missing between two fields, .*$/,
    '두 필드 사이에 쉼표가 없거나, ": "이 들어 있는 값을 따옴표로 묶지 않았습니다.',
  ],
  [/^A list item begins with "-" and a space\.$/, '목록의 항목은 "-"와 공백으로 시작해야 합니다.'],
  [/^A text that contains ": " must be in quotes\.$/, '": "이 들어 있는 값은 따옴표로 묶으세요.'],
  [
    /^A text that begins with (\S+) must be in quotes, such as (.+)\.$/,
    '$1 기호로 시작하는 값은 따옴표로 묶으세요(예: $2).',
  ],
  [
    /^The value ends before this\. Put the whole text in quotes\.$/,
    '값이 이 앞에서 끝납니다. 값 전체를 따옴표로 묶으세요.',
  ],
  [
    /^(.+) cannot be here\. Something before it has ended too early\.$/,
    '$1 기호가 올 수 없는 자리입니다. 앞의 값이나 괄호가 너무 일찍 끝났습니다.',
  ],
  [/^A quote begins here and does not end\.$/, '여기서 시작한 따옴표가 닫히지 않았습니다.'],
  [/^A "(\S)" is missing before this\.$/, '이 앞에 "$1" 기호가 빠졌습니다.'],
  [
    /^(.+) Use single quotes, or write (\S+) for a backslash\.$/,
    '큰따옴표 안의 이스케이프가 올바르지 않습니다. 작은따옴표를 쓰거나 역슬래시를 $2 형태로 쓰세요. ($1)',
  ],
  [
    /^The file holds several documents \(---\); keep one\.$/,
    '파일에 문서가 여러 개 있습니다(---). 하나만 남기세요.',
  ],
  [
    /^Leave out %YAML: manifests are YAML 1\.2\.$/,
    '%YAML 줄을 지우세요. app.yaml은 YAML 1.2입니다.',
  ],
  [
    /^git marks a merge conflict here, .*$/,
    '병합 충돌 표시(<<<<<<<부터 >>>>>>>까지)가 남아 있습니다. 필요한 줄만 남기고 나머지와 표시를 지우세요.',
  ],
  [/^The manifest nests too deeply\.$/, 'app.yaml의 중첩이 너무 깊습니다.'],
  [/^The manifest is larger than (.+)\.$/, 'app.yaml이 $1보다 큽니다.'],
  [
    /^The manifest has more than (\d+) anchors and aliases\.$/,
    'app.yaml의 앵커와 별칭이 $1개를 넘습니다.',
  ],
  [
    /^The tag (\S+) has no meaning in a manifest\. .*$/,
    'app.yaml에서 쓸 수 없는 태그입니다: $1. 지우거나, !로 시작하는 값을 따옴표로 묶으세요.',
  ],
  [
    /^This value cannot be kept as JSON\. .*$/,
    'JSON으로 저장할 수 없는 값입니다. 따옴표로 묶어 문자열로 쓰세요.',
  ],
  [
    /^A key must be a plain text\. .*$/,
    '키는 일반 문자열이어야 합니다. { 또는 [로 시작하는 값은 따옴표로 묶으세요.',
  ],
  [/^A key cannot be "__proto__"\. .*$/, '"__proto__"는 키로 쓸 수 없습니다. 다른 이름을 쓰세요.'],
  [/^[Tt]he key "(.+)" occurs twice\.?$/, '키 "$1"이(가) 두 번 나옵니다'],

  // fields
  [
    /^(\S+) is not a field of a manifest\. Did you mean (.+)\?$/,
    '$1: app.yaml에 없는 필드입니다. $2인가요?',
  ],
  [
    /^(\S+) is not a field of a manifest\. Values come from variables of the workspace: (svc .+), and (\S+) in code$/,
    '$1: app.yaml에 없는 필드입니다. 값은 워크스페이스의 변수로 둡니다: $2, 코드에서는 $3',
  ],
  [
    /^(\S+) is not a field of a manifest\. What starts it is in schedules, webhooks or events of the manifest$/,
    '$1: app.yaml에 없는 필드입니다. 시작 조건은 app.yaml의 schedules, webhooks, events에 씁니다',
  ],
  [
    /^(\S+) is not a field of a manifest\. Steps run in the order of their list$/,
    '$1: app.yaml에 없는 필드입니다. 단계는 목록의 순서대로 실행됩니다',
  ],
  [
    /^(\S+) is not a field of a manifest\. Remove it, or correct its spelling$/,
    '$1: app.yaml에 없는 필드입니다. 지우거나 철자를 고치세요',
  ],
  [
    /^(\S+) is not a field here, but of the manifest itself\. Check the indentation$/,
    '$1: 여기가 아니라 최상위에 쓰는 필드입니다. 들여쓰기를 확인하세요',
  ],
  [
    /^(\S+) is not a field here, but of (\S+)\. Check the indentation$/,
    '$1: 여기가 아니라 $2에 쓰는 필드입니다. 들여쓰기를 확인하세요',
  ],
  [/^must be a mapping$/, '객체여야 합니다'],
  [/^must be a mapping, such as (.+)$/, '$1 같은 객체여야 합니다'],
  [/^must be a list, such as (.+)$/, '$1 같은 목록이어야 합니다'],
  [
    /^must be a list, with the name of each item as its key: - key: name$/,
    '목록이어야 합니다. 각 항목의 이름은 key로 쓰세요: - key: 이름',
  ],
  [
    /^must be a number of seconds: (\d+), not (.+)$/,
    '초 단위의 숫자여야 합니다. $2 대신 $1로 쓰세요',
  ],
  [
    /^must be a number of milliseconds: (\d+), not (.+)$/,
    '밀리초 단위의 숫자여야 합니다. $2 대신 $1로 쓰세요',
  ],
  [/^must be a mapping with at least `key`$/, '객체여야 하며 key가 필요합니다'],
  [/^must be a whole number from (-?[\d.]+) to (-?[\d.]+)$/, '$1부터 $2까지의 정수여야 합니다'],
  [/^must be a number from (-?[\d.]+) to (-?[\d.]+)$/, '$1부터 $2까지의 숫자여야 합니다'],
  [/^must be a number of seconds$/, '초 단위의 숫자여야 합니다'],
  [
    /^must be at most (-?[\d.]+), (?:the highest that|the cap) (\S+) (?:can be|of this instance)$/,
    '$1 이하여야 합니다(인스턴스 설정 $2의 한도)',
  ],
  [
    /^must have 1 to (\d+) letters, digits, - or _, and begin with a letter or digit$/,
    '영문자, 숫자, -, _ 1~$1자여야 하며 영문자나 숫자로 시작해야 합니다',
  ],
  [
    /^must have 1 to (\d+) characters a-z, 0-9 or -, and begin with a letter or digit$/,
    'a-z, 0-9, - 1~$1자여야 하며 영문자나 숫자로 시작해야 합니다',
  ],
  [
    /^must have 1 to (\d+) lower-case letters, digits, \., _ or -, and begin with a letter or digit$/,
    '영문 소문자, 숫자, ., _, - 1~$1자여야 하며 영문자나 숫자로 시작해야 합니다',
  ],
  [/^must have 1 to (\d+) letters, digits, \. - or _$/, '영문자, 숫자, ., -, _ 1~$1자여야 합니다'],
  [/^must be runtime, os or vm$/, 'runtime, os, vm 중 하나여야 합니다'],
  [/^must be requeue or fail$/, 'requeue 또는 fail이어야 합니다'],
  [/^must be fresh, or left out$/, 'fresh로 쓰거나 지우세요'],
  [/^must be allow, skip or queue$/, 'allow, skip, queue 중 하나여야 합니다'],
  [/^must be a host name such as (.+)$/, '$1 같은 호스트 이름이어야 합니다'],
  [/^must be a path such as (.+)$/, '$1 같은 경로여야 합니다'],
  [
    /^must be the path of a \.ts or \.js file inside the app$/,
    '앱 안에 있는 .ts 또는 .js 파일의 경로여야 합니다',
  ],
  [/^must be a JSON Schema$/, 'JSON Schema여야 합니다'],
  [/^must not be less than quietS$/, 'quietS보다 작을 수 없습니다'],
  [/^needs scope: app or scope: workspace$/, 'scope: app 또는 scope: workspace가 필요합니다'],
  [
    /^must be given: actions of the scope (\S+) share the limit under this name$/,
    '비워 둘 수 없습니다. scope가 $1인 액션은 이 이름으로 한도를 함께 씁니다',
  ],
  [
    /^may refer to the input only, as \$\{input\.customer\} does$/,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the manifest's own notation
    '${input.customer}처럼 입력만 참조할 수 있습니다',
  ],
  [
    /^must name what it starts: either action or flow$/,
    '무엇을 시작하는지 action과 flow 중 하나로 정해야 합니다',
  ],
  [/^must have a scheme, one of (.+)$/, 'scheme이 필요합니다. 쓸 수 있는 값: $1'],
  [/^must be the name of a header$/, '헤더 이름이어야 합니다'],
  [/^must be the key of a workspace variable$/, '워크스페이스 변수의 키여야 합니다'],
  [
    /^must be the key of a workspace variable, for example (\S+)$/,
    '워크스페이스 변수의 키여야 합니다(예: $1)',
  ],
  [
    /^must be the key of a workspace variable, or a list of such keys$/,
    '워크스페이스 변수의 키이거나 그런 키의 목록이어야 합니다',
  ],
  [/^must name at least one variable$/, '변수가 1개 이상 필요합니다'],
  [
    /^must name where the value is: either body or header$/,
    '값의 위치를 body와 header 중 하나로 정해야 합니다',
  ],
  [
    /^"(.+)" has a wildcard before an address; wildcards are for names\.?$/,
    '"$1": 와일드카드는 IP 주소가 아니라 호스트 이름 앞에만 쓸 수 있습니다',
  ],
  [
    /^"(.+)" is not a host: write host names or IPv4 addresses, each optionally with a port\.?$/,
    '"$1": 호스트 이름이나 IPv4 주소여야 하며 뒤에 포트를 붙일 수 있습니다',
  ],
  [
    /^"(.+)" is not a public address, and no grant opens it to jobs\.?$/,
    '"$1": 공용 주소가 아니며 작업에 허용할 수도 없습니다',
  ],
  [
    /^(.+) is in a private network and not granted: an operator grants it by (\S+) or by (\S+) of the workspace\.?$/,
    '허용되지 않은 내부 주소입니다: $1. 운영자가 $2 또는 워크스페이스의 $3(으)로 허용할 수 있습니다',
  ],

  // flows
  [
    /^there is no action "(.+)" in this app\. Did you mean (.+)\?$/,
    '이 앱에 없는 액션입니다: $1. $2인가요?',
  ],
  [
    /^there is no flow "(.+)" in this app\. Did you mean (.+)\?$/,
    '이 앱에 없는 플로우입니다: $1. $2인가요?',
  ],
  [/^there is no action "(.+)" in this app$/, '이 앱에 없는 액션입니다: $1'],
  [/^there is no flow "(.+)" in this app$/, '이 앱에 없는 플로우입니다: $1'],
  [/^must have at least one step$/, '단계가 1개 이상 필요합니다'],
  [/^must have at least one item$/, '항목이 1개 이상 필요합니다'],
  [/^must have at least one arm$/, '분기가 1개 이상 필요합니다'],
  [/^a step of kind (\S+) needs `(\S+)`$/, '종류가 $1인 단계에는 $2 필드가 필요합니다'],
  [/^a step of kind (\S+) takes no `(\S+)`$/, '종류가 $1인 단계에는 $2 필드를 쓸 수 없습니다'],
  [
    /^a step of kind sleep needs either `forS` or `until`$/,
    '종류가 sleep인 단계에는 forS와 until 중 하나만 필요합니다',
  ],
  [
    /^an arm of an? (\w+) step takes no `condition`: all arms run$/,
    '종류가 $1인 단계의 분기에는 condition을 쓸 수 없습니다. 모든 분기가 실행됩니다',
  ],
  [/^needs `action` or `subflow`$/, 'action과 subflow 중 하나가 필요합니다'],
  [/^leave it out, or leave out `action`$/, 'action과 함께 쓸 수 없습니다. 하나를 지우세요'],
  [
    /^is under `approval` too: name it in one place$/,
    'approval 아래에도 있습니다. 한 곳에만 쓰세요',
  ],
  [
    /^needs `options` when its type is select, and only then$/,
    '종류가 select일 때만, 그리고 그때는 반드시 options가 필요합니다',
  ],
  [/^must be a list, or one reference to a list$/, '목록이거나 목록을 가리키는 참조여야 합니다'],
  [/^must be a list, or one reference such as (.+)$/, '목록이거나 $1 같은 참조 하나여야 합니다'],
  [
    /^must be a time such as (\S+), or a reference to one$/,
    '$1 같은 시각이거나 시각을 가리키는 참조여야 합니다',
  ],
  [/^must be a condition$/, '조건식이어야 합니다'],
  [
    /^must be a condition: leave it out, or say when$/,
    '비워 둘 수 없습니다. 조건식을 쓰거나 필드를 지우세요',
  ],
  [/^the key "(.+)" is that of a step: choose another$/, '단계에서 이미 쓰는 키입니다: $1'],
  [
    /^the subflows of "(.+)" go in a circle, or deeper than (\d+) levels$/,
    '"$1"의 하위 플로우가 서로를 순환하거나 $2단계보다 깊습니다',
  ],
  [
    /^the flow "(.+)" has an approval step, so it can be no subflow$/,
    '승인 단계가 있는 플로우는 하위 플로우로 쓸 수 없습니다: $1',
  ],

  // warnings
  [
    /^(\S+) has no value here, because that step ends later$/,
    '$1: 그 단계가 더 나중에 끝나므로 여기서는 값이 없습니다',
  ],
  [
    /^has other numbers than that of action "(\S+)", which shares it\.?$/,
    '같은 이름으로 공유하는 액션 $1의 값과 다릅니다',
  ],
  [/^(.+) is not a reference\. Did you mean (.+)\?$/, '$1: 참조가 아닙니다. $2인가요?'],
  [/^(.+) is not a reference\.?$/, '$1: 올바른 참조가 아닙니다'],
  [/^(\S+) must begin with (.+)$/, '$1: 참조는 다음 중 하나로 시작해야 합니다: $2'],
  [
    /^(\S+) must name one step of this flow: (.+?)\.?$/,
    '$1: 결과를 읽을 단계를 하나 지정해야 합니다. 있는 단계: $2',
  ],
  [
    /^(\S+) names no step of this flow\. Did you mean (.+)\?$/,
    '$1: 이 플로우에 없는 단계입니다. $2인가요?',
  ],
  [
    /^(\S+) names no step of this flow\. It has (.+?)\.?$/,
    '$1: 이 플로우에 없는 단계입니다. 있는 단계: $2',
  ],
  [
    /^(\S+) fails each run whose input leaves it out\. List "(.+)" in `required` of the inputSchema\.?$/,
    '$1: 입력에 이 값이 없는 실행은 실패합니다. inputSchema의 required에 "$2"을(를) 추가하세요',
  ],
  [
    /^(\S+) fails each run that skips step "(.+)"\. The whole result, (\S+), is null there\.?$/,
    '$1: 단계 "$2"을(를) 건너뛴 실행은 실패합니다. 결과 전체인 $3은(는) 이때 null입니다',
  ],
  [
    /^(\S+) fails each run in which people leave the field "(.+)" empty\. Make it `required`, or pass on the whole result, (\S+?)\.?$/,
    '$1: 필드 "$2"을(를) 비워 둔 실행은 실패합니다. 필수 필드로 바꾸거나 결과 전체인 $3을(를) 넘기세요',
  ],
  [/^(\S+) is never (.+)\. It is (.+?)\.?$/, '$1의 값이 $2인 경우는 없습니다. 가능한 값: $3'],
  [/^(\S+) names no field of .+?\. Did you mean "(.+)"\?$/, '$1: 없는 필드입니다. $2인가요?'],
  [/^(\S+) names no field of .+?\. It has no fields\.?$/, '$1: 필드가 없는 값입니다'],
  [/^(\S+) names no field of .+?\. It has (.+?)\.?$/, '$1: 없는 필드입니다. 있는 필드: $2'],
  [
    /^the arm "(.+)" is never taken: the arm "(.+)" comes first$/,
    '분기 "$1"은(는) 실행되지 않습니다. 분기 "$2"이(가) 먼저 선택됩니다',
  ],
  [
    /^no run comes to this step: step "(.+)" ends each$/,
    '실행되지 않는 단계입니다. 그 앞의 "$1" 단계에서 실행이 끝납니다',
  ],
  [
    /^`onTimeout` has no effect without `timeoutS`: the step waits without end$/,
    'timeoutS가 없으면 끝없이 기다리므로 onTimeout은 효과가 없습니다',
  ],
  [/^`retry` has no effect on this step\.?$/, '이 단계에는 retry가 적용되지 않습니다'],
  [
    /^the reminder never comes: `remind\.everyS` is not less than `timeoutS`$/,
    'remind.everyS가 timeoutS보다 작지 않으므로 알림이 가지 않습니다',
  ],
  [
    /^the condition "(.*)" is wrong: a "\)" is missing$/,
    '조건식 "$1"이(가) 올바르지 않습니다: 닫는 괄호가 빠졌습니다',
  ],
  [
    /^the condition "(.*)" is wrong: "(.+)" is where a value is expected$/,
    '조건식 "$1"이(가) 올바르지 않습니다: 값이 올 자리에 "$2"이(가) 있습니다',
  ],
  [
    /^the condition "(.*)" is wrong: it ends where a value is expected$/,
    '조건식 "$1"이(가) 올바르지 않습니다: 값이 올 자리에서 끝났습니다',
  ],
  [
    /^the condition "(.*)" is wrong: there is more text after its end$/,
    '조건식 "$1"이(가) 올바르지 않습니다: 식이 끝난 뒤에 다른 글자가 있습니다',
  ],
  [
    /^the condition "(.*)" is wrong: a reference in a condition has no braces: write (.+)$/,
    '조건식 "$1"이(가) 올바르지 않습니다. 조건식에서는 참조를 중괄호 없이 $2(으)로 쓰세요',
  ],
  [/^the condition "(.*)" is wrong: (.+)$/, '조건식 "$1"이(가) 올바르지 않습니다: $2'],
  [
    /^it refuses each delivery: the input is the body as text, which the inputSchema of the (action|flow) "(.+)" does not take\. Write `input: json` if the sender sends JSON, or take the text and parse it$/,
    '모든 요청을 거부합니다. 입력은 본문 텍스트인데 "$2"의 inputSchema가 텍스트를 받지 않습니다. JSON을 보내는 서비스라면 `input: json`을 쓰고, 아니면 텍스트를 받아 직접 파싱하세요',
  ],
  [
    /^it refuses each delivery: the input is the body as text, and `(.+)` of the action "(.+)" needs a field of it\. Write `input: json` if the sender sends JSON, or take the text and parse it$/,
    '모든 요청을 거부합니다. 입력은 본문 텍스트라서 "$2"의 $1에 필요한 필드가 없습니다. JSON을 보내는 서비스라면 `input: json`을 쓰고, 아니면 텍스트를 받아 직접 파싱하세요',
  ],
  [
    /^its runs fail at step "(.+)": the input is the body as text, so (.+) does not exist\. Write `input: json` if the sender sends JSON, or take the text and parse it$/,
    '실행이 단계 "$1"에서 실패합니다. 입력은 본문 텍스트라서 $2 값이 없습니다. JSON을 보내는 서비스라면 `input: json`을 쓰고, 아니면 텍스트를 받아 직접 파싱하세요',
  ],
  [
    /^does not fit the inputSchema of the (action|flow) "(.+?)": (.+)$/,
    '"$2"의 inputSchema에 맞지 않습니다: $3',
  ],
  [
    /^It refuses each delivery until its variable (\S+) is set: (.+)$/,
    '변수 $1을(를) 설정할 때까지 모든 요청을 거부합니다: $2',
  ],
]
