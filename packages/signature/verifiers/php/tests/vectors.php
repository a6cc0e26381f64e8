<?php

// Checks every shared vector: php tests/vectors.php [test-vectors.json]

declare(strict_types=1);

use Hookwright\Signature\SignatureError;
use Hookwright\Signature\Verifier;

require __DIR__ . '/../src/SignatureError.php';
require __DIR__ . '/../src/Verifier.php';

function result_of(array $vector): array
{
    $headers = [];
    foreach ($vector['headers'] as [$name, $value]) {
        $headers[strtolower($name)][] = $value;
    }
    $options = ['tolerance' => (float) $vector['toleranceSeconds'], 'now' => (float) $vector['now']];
    if (isset($vector['headerPrefix'])) {
        $options['headerPrefix'] = $vector['headerPrefix'];
    }
    try {
        $event = Verifier::verify(base64_decode($vector['body']['base64'], true), $headers, $vector['secrets'], ...$options);
    } catch (SignatureError $error) {
        echo "{$error->reason}: {$error->getMessage()}\n";
        return ['error' => $error->reason];
    }
    return ['eventId' => $event['id']] + (isset($event['test']) ? ['test' => true] : []);
}

$file = $argv[1] ?? __DIR__ . '/../../../test-vectors.json';
$vectors = json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR)['vectors'];
$wrong = [];
foreach ($vectors as $vector) {
    if (result_of($vector) !== $vector['expected']) {
        $wrong[] = $vector['name'];
    }
}
echo count($vectors), ' vectors, ', count($wrong), " wrong\n", implode("\n", $wrong), "\n";
exit($wrong !== [] || $vectors === [] ? 1 : 0);
