#!/usr/bin/env bash
# A tour of credence on the examples; what it writes goes to build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/demo

bold= plain=
if [[ -t 1 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' plain=$'\e[0m'
fi
title() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }
say() { printf '%s\n' "$@"; }
run() {
  printf '\n%s$ %s%s\n' "$bold" "$1" "$plain"
  bash -c "$1"
}

title "1. Learn from a table"
say "Fourteen days, and whether tennis was played."
run "build/credence fit examples/tennis.csv --target PlayTennis --estimate mle -o build/demo/tennis.credence"
say "" "What it learned: how often each class occurs, and what each class looks like."
run "build/credence show build/demo/tennis.credence"

title "2. Predict, and say why"
day="Outlook=Sunny,Temperature=Cool,Humidity=High,Wind=Strong"
say "A sunny, cool, humid and windy day:"
run "build/credence predict build/demo/tennis.credence --proba --given '$day'"
run "build/credence explain build/demo/tennis.credence --given '$day'"

title "3. A model written by hand"
say "A disease that 8 people in 1000 have, a test that is right 97 or 98 times in 100, and it is positive."
run "build/credence predict examples/lab_test.json --proba --given 'test=+'"
say "" "Healthy is still the better bet. After a second positive test it is not:"
run "build/credence predict examples/lab_test_twice.json --proba --given 'first=+,second=+'"

title "4. What was never seen"
say "Four shapes, none of medium size. By the frequencies alone, neither class can explain a medium one."
domains="--values 'size=small|medium|large' --values 'color=red|blue|green' --values 'shape=square|triangle|circle'"
run "build/credence fit examples/shapes.csv --target category $domains --estimate mle -o build/demo/shapes.credence"
run "build/credence predict build/demo/shapes.credence --proba --given 'size=medium,color=red,shape=circle'"
say "" "One imaginary row, spread evenly over the values, settles it:"
run "build/credence fit examples/shapes.csv --target category $domains --estimate m-estimate=1 -o build/demo/shapes.credence"
run "build/credence predict build/demo/shapes.credence --proba --given 'size=medium,color=red,shape=circle'"

title "5. Pictures"
say "The model on one page, with the weight of every column on the day above:"
run "build/credence report build/demo/tennis.credence examples/tennis.csv -o build/demo/report.html"
run "build/credence plot build/demo/tennis.credence evidence --given '$day' -o build/demo/evidence.svg"
say "Open build/demo/report.html and build/demo/evidence.svg in a browser."

title "Now your own file"
say "A CSV file with a header; COLUMN is the one to predict:" \
    "" \
    "  build/credence fit FILE.csv --target COLUMN -o mine.credence" \
    "  build/credence show mine.credence" \
    "  build/credence predict mine.credence FILE.csv --proba" \
    "  build/credence cv FILE.csv --target COLUMN --folds 10" \
    "" \
    "More commands: build/credence --help. More examples: examples/README.md"

title "And in a browser"
say "Look at the model, ask it why, forget a day and watch the probabilities move:" \
    "" \
    "  build/credence serve build/demo/tennis.credence --data examples/tennis.csv --learn --open"
