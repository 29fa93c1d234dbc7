const { compact, init, Session } = require("threadfold");

import("../fold.js")
  .then(({ fold }) => fold({ compact, init, Session }))
  .then((outcome) => console.log(JSON.stringify(outcome)));
