import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What the console producer cannot send. Partition 0 is written; brokers are on localhost.
 *
 * <pre>
 * batch PORT TOPIC PRODUCER_ID SEQUENCE VALUE [ACKS [HOURS]]
 *                                an idempotent batch of one record, with epoch 0; a plain one, if
 *                                PRODUCER_ID and SEQUENCE are -1; acks=all, or ACKS; HOURS ago
 * record PORT TOPIC HOURS VALUE  a record whose timestamp is so many hours ago
 * transactions PORT TOPIC KEY    a value that is aborted, then a committed tombstone
 * aborted PORT TOPIC SECONDS     a transaction of one record that is aborted after SECONDS
 * </pre>
 */
public final class Batches {
    private static final short PRODUCE = 0;
    private static final short VERSION = 3;

    public static void main(String[] given) throws Exception {
        int port = Integer.parseInt(given[1]);
        switch (given[0]) {
            case "batch" -> {
                short acks = Short.parseShort(given.length > 6 ? given[6] : "-1");
                ByteBuffer records =
                        batchOfOne(
                                Long.parseLong(given[3]),
                                Integer.parseInt(given[4]),
                                given[5].getBytes(),
                                hoursAgo(given.length > 7 ? given[7] : "0"));
                send(port, given[2], acks, records);
            }
            case "record" -> record(port, given[2], hoursAgo(given[3]), given[4]);
            case "transactions" -> transactions(port, given[2], given[3]);
            case "aborted" -> aborted(port, given[2], Long.parseLong(given[3]));
            default -> throw new IllegalArgumentException(given[0]);
        }
    }

    private static long hoursAgo(String hours) {
        return System.currentTimeMillis() - Long.parseLong(hours) * 3_600_000;
    }

    private static void send(int port, String topic, short acks, ByteBuffer records)
            throws IOException {
        ByteBuffer request = ByteBuffer.allocate(100 + topic.length() + records.remaining());
        request.putShort(PRODUCE).putShort(VERSION).putInt(0); // the correlation id
        request.putShort((short) -1).putShort((short) -1); // no client id, no transactional id
        request.putShort(acks).putInt(15000); // the acks, -1 for all; the timeout
        request.putInt(1).putShort((short) topic.length()).put(topic.getBytes());
        request.putInt(1).putInt(0).putInt(records.remaining()).put(records).flip();
        try (Socket broker = new Socket("localhost", port)) {
            DataOutputStream out = new DataOutputStream(broker.getOutputStream());
            out.writeInt(request.remaining());
            out.write(request.array(), 0, request.remaining());
            DataInputStream in = new DataInputStream(broker.getInputStream());
            in.skipNBytes(4 + 4 + 4 + 2 + topic.length() + 4 + 4); // up to the error code
            String error = Errors.forCode(in.readShort()).name();
            System.out.println("error " + error + ", offset " + in.readLong());
        }
    }

    /** A batch of the format 2; its lengths are written as one byte, so the value must be short. */
    private static ByteBuffer batchOfOne(long id, int sequence, byte[] value, long time) {
        int size = 61 + 7 + value.length;
        ByteBuffer batch = ByteBuffer.allocate(size);
        batch.putLong(0).putInt(size - 12).putInt(-1).put((byte) 2).putInt(0); // the checksum: below
        batch.putShort((short) 0).putInt(0).putLong(time).putLong(time); // attributes, last, times
        batch.putLong(id).putShort((short) (id < 0 ? -1 : 0)).putInt(sequence).putInt(1);
        batch.put((byte) (2 * (6 + value.length))).put(new byte[3]).put((byte) 1); // no key
        batch.put((byte) (2 * value.length)).put(value).put((byte) 0); // no headers
        CRC32C checksum = new CRC32C();
        checksum.update(batch.array(), 21, size - 21);
        return batch.putInt(17, (int) checksum.getValue()).flip();
    }

    private static void record(int port, String topic, long time, String value) throws Exception {
        try (KafkaProducer<String, String> producer = producer(port, Map.of())) {
            producer.send(new ProducerRecord<>(topic, 0, time, null, value)).get();
        }
    }

    private static void transactions(int port, String topic, String key) throws Exception {
        try (KafkaProducer<String, String> producer =
                producer(port, Map.of("transactional.id", "writer"))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, key, "aborted")).get();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, key, null)).get();
            producer.commitTransaction();
        }
    }

    private static void aborted(int port, String topic, long seconds) throws Exception {
        try (KafkaProducer<String, String> producer =
                producer(port, Map.of("transactional.id", "writer"))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, 0, null, "aborted")).get();
            Thread.sleep(1000 * seconds);
            producer.abortTransaction();
        }
    }

    private static KafkaProducer<String, String> producer(int port, Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(more);
        settings.put("bootstrap.servers", "localhost:" + port);
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }
}
